// page_under_test.mjs: one tab with the page, which remembers what must not happen: errors on the console, exceptions,
// requests to anybody else.
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** In the page: remembers what is written onto canvases. */
function rememberTexts() {
  window.drawn = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function remember(text, ...place) {
    window.drawn.add(text);
    return fillText.call(this, text, ...place);
  };
}

/** The texts that the map is drawn with from now on, until `enough` of them says so. */
export async function drawnTexts(page, enough) {
  await page.evaluate(() => window.drawn.clear());
  let texts = [];
  await eventually(async () => {
    texts = await page.evaluate(() => [...window.drawn]);
    return texts.length > 0 && enough(texts);
  });
  return texts;
}

/** Opens `path` of the server at `url`. options: of a Playwright context. */
export async function openPage(browser, url, path = "/", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.LIMPET_PAGE_TIMEOUT ?? 90_000)); // slow on a busy machine is not wrong
  await page.addInitScript(rememberTexts);
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`request to ${request.url()}`);
  });
  await page.goto(url + path);
  await page.locator(".timeline").waitFor();
  return { page, complaints, close: () => context.close() };
}

/** What axe-core finds that is serious or critical, as lines. */
export async function accessibilityProblems(page) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`).join("; ")}`,
    );
}

/** The middle of the canvas' pixels of a colour, in CSS pixels of the page; null when there are none. */
export async function findColour(page, colour) {
  return page.evaluate((wanted) => {
    const canvas = document.querySelector(".stage canvas");
    const box = canvas.getBoundingClientRect();
    const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
    let count = 0;
    let left = Infinity;
    let right = 0;
    let top = Infinity;
    let bottom = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] !== r || data[i + 1] !== g || data[i + 2] !== b) continue;
      const x = (i / 4) % width;
      const y = Math.floor(i / 4 / width);
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (count === 0) return null;
    const scale = canvas.width / box.width;
    return { x: box.left + (left + right) / 2 / scale, y: box.top + (top + bottom) / 2 / scale, count };
  }, colour);
}

/** The page's own modules, so that a test expects the same words as they write. */
export async function importPageModule(path) {
  const built = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const code = Buffer.from(built.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

export async function ask(url, path) {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Until `check` gives something true; its last error otherwise. */
export async function eventually(check, { timeout = 60_000, every = 100 } = {}) {
  const end = Date.now() + timeout;
  for (;;) {
    try {
      const answer = await check();
      if (answer) return answer;
      if (Date.now() > end) throw new Error(`never came true: ${check}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
