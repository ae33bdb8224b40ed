// measure.mjs: the goals of the live page (docs/performance.md#the-live-page), in headless Chromium against the mock:
// frames a second and their 95th percentile, memory of the tab, first paint.
//
//   node measure.mjs [URL]    with a URL: a diagnoser that runs, instead of 1,000 simulated nodes
import { startBrowser } from "./browser/chromium.mjs";
import { startMock } from "./mock/server.mjs";

const SECONDS = 10;
const WINDOW = { width: 1280, height: 720 };

/** Milliseconds between the frames that the browser showed. */
function recordFrames() {
  window.frameTimes = [];
  let last = 0;
  const tick = (now) => {
    if (last > 0) window.frameTimes.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  return { fps: (1000 * times.length) / total, p95: sorted[Math.floor(sorted.length * 0.95)] };
}

async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 2 ** 20;
}

/** Resident memory of the tab's process: everything but what it shares with the other processes of the browser. */
async function residentMegabytes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const { readFileSync } = await import("node:fs");
  const sizes = processInfo
    .filter((process) => process.type === "renderer")
    .map(({ id }) => {
      const status = readFileSync(`/proc/${id}/status`, "utf8");
      return (Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 2 ** 20;
    });
  return Math.max(...sizes);
}

async function firstPaint(page) {
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
}

/** In and out around a place, as a hand at the wheel does. */
async function zoomAbout(page, seconds) {
  const end = Date.now() + seconds * 1000;
  await page.mouse.move(500, 350);
  for (let i = 0; Date.now() < end; i += 1) {
    await page.mouse.wheel(0, Math.floor(i / 25) % 2 === 0 ? -60 : 60);
    await page.waitForTimeout(30);
  }
}

async function measure(name, url, act) {
  const browser = await startBrowser(["--enable-precise-memory-info"]);
  const page = await browser.newPage({ viewport: WINDOW });
  await page.goto(url);
  await page.locator(".scale-ramp").waitFor();
  const shown = await page.evaluate(() => performance.now());
  const paint = await firstPaint(page);
  await page.waitForTimeout(1500);
  await page.evaluate(recordFrames);
  await act(page);
  const { fps, p95 } = summary(await page.evaluate(() => window.frameTimes));
  const row = [
    name,
    fps.toFixed(0),
    p95.toFixed(0),
    (await memory(page)).toFixed(0),
    (await residentMegabytes(browser)).toFixed(0),
    paint.toFixed(0),
    shown.toFixed(0),
  ];
  console.log(`| ${row.join(" | ")} |`);
  await browser.close();
}

console.log(
  "| cluster | frames/s | p95 frame, ms | heap, MiB | tab, MiB | first paint, ms | nodes shown, ms |",
);
console.log("|---|---|---|---|---|---|---|");
const [given] = process.argv.slice(2);
const wait = (page) => page.waitForTimeout(SECONDS * 1000);
if (given) {
  await measure("given", given, wait);
} else {
  const thousand = await startMock({ nodes: 1000 });
  await measure("1,000 nodes, 2 updates a second", thousand.url, wait);
  await measure("1,000 nodes, zooming", thousand.url, (page) => zoomAbout(page, SECONDS));
  thousand.close();
  const large = await startMock({ nodes: 10_000, churn: 0.25 });
  await measure("10,000 nodes, 2 updates a second", large.url, wait);
  await measure("10,000 nodes, zooming", large.url, (page) => zoomAbout(page, SECONDS));
  large.close();
}
process.exit(0);
