// build.mjs: bundles the page, and renders the documents.
//
//   node build.mjs --modules NODE_MODULES --docs FOLDER --out FOLDER              files, as a server would send them
//   node build.mjs --modules NODE_MODULES --docs FOLDER --cc FILE --depfile FILE  C++ with the same, gzip-compressed
//
// Names hold a hash of the content, so that browsers may keep them for good; the same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, gzipSync } from "node:zlib";
import { fillTemplate, pathOf, renderDocument } from "./documents.mjs";

const MAX_PAGE_BYTES = 150_000; // compressed
const MAX_DOCUMENT_BYTES = 250_000;
const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    modules: { type: "string" },
    docs: { type: "string" },
    out: { type: "string" },
    cc: { type: "string" },
    depfile: { type: "string" },
  },
});
const modules = resolve(options.modules ?? "node_modules");
// The modules lie in the build folder: a build leaves the source tree as it is.
const require = createRequire(join(modules, "x.js"));
const esbuild = require("esbuild");
const { Marked } = require("marked");

async function bundle(entry, loader) {
  return esbuild.build({
    entryPoints: [join(here, entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: "eof",
    nodePaths: [modules],
    target: ["chrome109", "firefox115", "safari16"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader,
    logLevel: "error",
    outdir: "out",
  });
}

const hashed = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 8);

function asset(name, contentType, bytes) {
  const [stem, ending] = name.split(".");
  return { path: `/assets/${stem}.${hashed(bytes)}.${ending}`, contentType, bytes };
}

async function makeAssets() {
  const script = await bundle("src/main.tsx", {});
  const styles = await bundle("styles/page.css", {});
  const text = (result) => Buffer.from(result.outputFiles[0].contents);
  const app = asset("app.js", "text/javascript; charset=utf-8", text(script));
  const page = asset("page.css", "text/css; charset=utf-8", text(styles));
  const html = withAssets("index.html", app, page);
  const index = { path: "/", contentType: HTML, bytes: Buffer.from(html) };
  return {
    assets: sorted([index, app, page]),
    inputs: inputsOf([script, styles], ["index.html", "icon.svg"]),
  };
}

const HTML = "text/html; charset=utf-8";
const icon = asset("icon.svg", "image/svg+xml", readFileSync(join(here, "icon.svg")));
const sorted = (assets) => assets.sort((a, b) => (a.path < b.path ? -1 : 1));

function withAssets(template, script, styles) {
  return readFileSync(join(here, template), "utf8")
    .replace("{script}", script.path)
    .replace("{styles}", styles.path)
    .replace("{icon}", icon.path);
}

function inputsOf(bundles, files) {
  return bundles
    .flatMap((result) => Object.keys(result.metafile.inputs))
    .concat(files)
    .map((name) => resolve(here, name));
}

/** Every document of the folder as a page; served also where the live page is switched off. */
async function makeDocuments(folder) {
  const script = await bundle("src/document.ts", {});
  const styles = await bundle("styles/document.css", {});
  const text = (result) => Buffer.from(result.outputFiles[0].contents);
  const app = asset("document.js", "text/javascript; charset=utf-8", text(script));
  const css = asset("document.css", "text/css; charset=utf-8", text(styles));
  const template = withAssets("document.html", app, css);
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const known = new Set(names);
  const pages = names.map((name) => {
    const rendered = renderDocument(Marked, readFileSync(join(folder, name), "utf8"), known);
    const bytes = Buffer.from(fillTemplate(template, rendered, pathOf(name)));
    return { path: pathOf(name), contentType: HTML, bytes };
  });
  const inputs = inputsOf([script, styles], ["document.html"]).concat(
    names.map((name) => join(resolve(folder), name)),
  );
  return { assets: sorted([app, css, icon, ...pages]), inputs };
}

// String literals of any length are not portable; numbers are, and compile about as fast.
function literal(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 32)
    lines.push(`    ${[...bytes.subarray(at, at + 32)].join(",")},`);
  return lines.join("\n");
}

/** The arrays of a list of assets and the function that returns it. */
function listSource(name, assets) {
  const arrays = assets.map(
    ({ bytes }, i) =>
      `constexpr unsigned char k${name}${i}[] = {\n${literal(gzipSync(bytes, { level: 9 }))}\n};`,
  );
  const rows = assets.map(
    ({ path, contentType, bytes }, i) =>
      `      Asset{"${path}", "${contentType}", "\\"${hashed(bytes)}\\"", Text(k${name}${i})},`,
  );
  const list = `std::span<const Asset> ${name}Assets() {
  static const std::array kAssets = {
${rows.join("\n")}
  };
  return kAssets;
}`;
  return { arrays: arrays.join("\n\n"), list };
}

function source(page, documents) {
  const lists = [listSource("Page", page), listSource("Document", documents)];
  return `// Made by diagnoser/page/build.mjs.
#include "diagnoser/page/assets.h"

#include <array>
#include <cstddef>

namespace limpet {
namespace {

${lists.map(({ arrays }) => arrays).join("\n\n")}

template <std::size_t kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

}  // namespace

${lists.map(({ list }) => list).join("\n\n")}

}  // namespace limpet
`;
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const sizeOf = (assets) =>
  assets.reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }).length, 0);

function checkSize(what, assets, most) {
  const total = sizeOf(assets);
  if (total > most) throw new Error(`${what}: ${total} bytes compressed, expected at most ${most}`);
  return total;
}

/** Where a server would find it: a document has no ending in its address. */
const fileOf = ({ path, contentType }) =>
  path === "/" ? "index.html" : contentType === HTML ? `${path}.html` : path;

const page = await makeAssets();
const documents = await makeDocuments(options.docs ?? join(here, "../../docs"));
const pageBytes = checkSize("the page", page.assets, MAX_PAGE_BYTES);
const documentBytes = checkSize("the documents", documents.assets, MAX_DOCUMENT_BYTES);
if (options.out) {
  for (const one of [...page.assets, ...documents.assets]) write(join(options.out, fileOf(one)), one.bytes);
}
if (options.cc) {
  write(options.cc, source(page.assets, documents.assets));
  // Ninja reads one rule: what the file was made from.
  const own = [fileURLToPath(import.meta.url), join(here, "documents.mjs")];
  const inputs = [...new Set([...page.inputs, ...documents.inputs, ...own])];
  const escaped = inputs.map((path) => path.replaceAll(" ", "\\ "));
  if (options.depfile) write(options.depfile, `${options.cc}: ${escaped.join(" ")}\n`);
}
console.log(
  `page: ${page.assets.length} files, ${pageBytes} bytes compressed; ` +
    `documents: ${documents.assets.length} files, ${documentBytes} bytes`,
);
