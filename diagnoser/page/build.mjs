// build.mjs: bundles the page.
//
//   node build.mjs --modules NODE_MODULES --out FOLDER                  files, as a server would send them
//   node build.mjs --modules NODE_MODULES --cc FILE --depfile FILE      C++ with the same files, gzip-compressed
//
// Names hold a hash of the content, so that browsers may keep them for good; the same sources give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, gzipSync } from "node:zlib";

const MAX_COMPRESSED_BYTES = 150_000;
const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    modules: { type: "string" },
    out: { type: "string" },
    cc: { type: "string" },
    depfile: { type: "string" },
  },
});
const modules = resolve(options.modules ?? "node_modules");
// The modules lie in the build folder: a build leaves the source tree as it is.
const esbuild = createRequire(join(modules, "x.js"))("esbuild");

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
  const icon = asset("icon.svg", "image/svg+xml", readFileSync(join(here, "icon.svg")));
  const html = readFileSync(join(here, "index.html"), "utf8")
    .replace("{script}", app.path)
    .replace("{styles}", page.path)
    .replace("{icon}", icon.path);
  const index = { path: "/", contentType: "text/html; charset=utf-8", bytes: Buffer.from(html) };
  const inputs = [script, styles]
    .flatMap((result) => Object.keys(result.metafile.inputs))
    .map((name) => resolve(here, name))
    .concat([join(here, "index.html"), join(here, "icon.svg"), fileURLToPath(import.meta.url)]);
  const assets = [index, app, page, icon].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { assets, inputs };
}

// String literals of any length are not portable; numbers are, and compile about as fast.
function literal(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 32)
    lines.push(`    ${[...bytes.subarray(at, at + 32)].join(",")},`);
  return lines.join("\n");
}

function source(assets) {
  const compressed = assets.map(({ bytes }) => gzipSync(bytes, { level: 9 }));
  const arrays = compressed.map(
    (bytes, i) => `constexpr unsigned char kBytes${i}[] = {\n${literal(bytes)}\n};`,
  );
  const rows = assets.map(
    ({ path, contentType, bytes }, i) =>
      `      Asset{"${path}", "${contentType}", "\\"${hashed(bytes)}\\"", Text(kBytes${i})},`,
  );
  return `// Made by diagnoser/page/build.mjs.
#include "diagnoser/page/assets.h"

#include <array>
#include <cstddef>

namespace limpet {
namespace {

${arrays.join("\n\n")}

template <std::size_t kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

}  // namespace

std::span<const Asset> PageAssets() {
  static const std::array kAssets = {
${rows.join("\n")}
  };
  return kAssets;
}

}  // namespace limpet
`;
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const { assets, inputs } = await makeAssets();
const total = assets.reduce(
  (sum, { bytes }) => sum + gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }).length,
  0,
);
if (total > MAX_COMPRESSED_BYTES) {
  throw new Error(`the page has ${total} bytes compressed, at most ${MAX_COMPRESSED_BYTES}`);
}
if (options.out) {
  for (const { path, bytes } of assets) write(join(options.out, path === "/" ? "index.html" : path), bytes);
}
if (options.cc) {
  write(options.cc, source(assets));
  // Ninja reads one rule: what the file was made from.
  const escaped = inputs.map((path) => path.replaceAll(" ", "\\ "));
  if (options.depfile) write(options.depfile, `${options.cc}: ${escaped.join(" ")}\n`);
}
console.log(`page: ${assets.length} files, ${total} bytes compressed`);
