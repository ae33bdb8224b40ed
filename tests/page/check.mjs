// check.mjs: types, linter, format, the generated types, unit tests. Run by scripts/page in its copy of the sources.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const esbuild = createRequire(join(process.cwd(), "x.js"))("esbuild");
let failed = false;

function run(name, command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name}`);
  failed ||= status !== 0;
  return status === 0;
}

const tool = (path) => ["node", join("node_modules", path)];
const use = (name, path, ...args) => run(name, tool(path)[0], [tool(path)[1], ...args]);

use("types", "typescript/bin/tsc", "-p", "tsconfig.json");
use("linter", "eslint/bin/eslint.js", "--max-warnings", "0", "diagnoser/page/src", "tests/page");
use("format", "prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "diagnoser/page", "tests/page");

run("types from the API", "node", ["tests/page/types.mjs", "docs/openapi.yaml", "schema.new.ts"]);
const committed = readFileSync("diagnoser/page/src/api/schema.ts", "utf8");
if (readFileSync("schema.new.ts", "utf8") !== committed) {
  console.log("FAILED src/api/schema.ts is not what docs/openapi.yaml gives: scripts/page types");
  failed = true;
}

rmSync("unit", { recursive: true, force: true });
const tests = readdirSync("tests/page/unit").filter((name) => name.endsWith("_test.ts"));
esbuild.buildSync({
  entryPoints: tests.map((name) => join("tests/page/unit", name)),
  outdir: "unit",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "error",
});
run("unit tests", "node", ["--test", ...tests.map((name) => join("unit", name.replace(/ts$/, "mjs")))]);
process.exit(failed ? 1 : 0);
