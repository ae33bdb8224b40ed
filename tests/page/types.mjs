// types.mjs: src/api/schema.ts from docs/openapi.yaml: the schemas alone, for the page names its paths itself.
//
//   node types.mjs OPENAPI OUT
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const [from, to] = process.argv.slice(2);
const nodes = await openapiTS(readFileSync(from, "utf8"));
const components = nodes.filter((node) => node.name?.text === "components");
const text = astToString(components)
  // What an API without headers or parameters of its own leaves empty.
  .replace(/^ {4}(responses|parameters|requestBodies|headers|pathItems): (never|\{[\s\S]*?^ {4}\});\n/gm, "");
writeFileSync(to, `// Made of docs/openapi.yaml by scripts/page types.\n${text}`);
