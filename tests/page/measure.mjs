// measure.mjs: the goals of the live page (docs/performance.md#the-live-page), in headless Chromium against the mock:
// frames a second and their 95th percentile, memory of the tab, first paint.
//
//   node measure.mjs [URL]    with a URL: a diagnoser that runs, instead of 1,000 simulated nodes
//   node measure.mjs --incidents [URL]    how soon a month of the history is painted
//   node measure.mjs --federate PROGRAM [DIAGNOSERS [NODES]]    PROGRAM federate above simulated ones: 10 of 1,000 nodes
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Notes when the first row of a table is painted, by the tab's own clock. */
function noteRows() {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".table tbody tr")) return;
    observer.disconnect();
    requestAnimationFrame((now) => (window.rowsShown = now));
  }).observe(document, { childList: true, subtree: true });
}

/** Milliseconds from the navigation until the month's incidents stand there, five times. */
async function measureIncidents(url) {
  const browser = await startBrowser();
  const took = [];
  for (let i = 0; i < 5; i += 1) {
    const page = await browser.newPage({ viewport: WINDOW });
    await page.addInitScript(noteRows);
    await page.goto(`${url}/?view=incidents`);
    await page.waitForFunction(() => window.rowsShown > 0);
    took.push(await page.evaluate(() => window.rowsShown));
    await page.close();
  }
  await browser.close();
  took.sort((a, b) => a - b);
  console.log(`a month of incidents: median ${took[2].toFixed(0)} ms, longest ${took[4].toFixed(0)} ms`);
}

/** Until it has all nodes: its address, and how to end it. */
async function startFederation(program, urls, nodes) {
  const folder = mkdtempSync(join(tmpdir(), "limpet-federation-"));
  const config = join(folder, "federation.yml");
  writeFileSync(
    config,
    `federate:\n${urls.map((url, i) => `  - {name: site${i}, url: "${url}"}\n`).join("")}`,
  );
  const process_ = spawn(program, ["federate", "--config", config, "--web.listen-address", "127.0.0.1:0"]);
  let log = "";
  process_.stderr.on("data", (piece) => (log += piece));
  const end = Date.now() + 60_000;
  for (;;) {
    const port = /listening on \S*:(\d+)/.exec(log)?.[1];
    const url = `http://127.0.0.1:${port}`;
    const cluster = port && (await (await fetch(`${url}/api/v1/cluster`)).json());
    if (cluster?.nodes.length === nodes)
      return { url, pid: process_.pid, stop: () => (process_.kill(), rmSync(folder, { recursive: true })) };
    if (Date.now() > end) throw new Error(`the federation does not come up: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Milliseconds until all diagnosers' readings of an hour ago are there, the median of five. */
async function timePast(url) {
  const took = [];
  for (let i = 0; i < 5; i += 1) {
    const begin = performance.now();
    const past = await (await fetch(`${url}/api/v1/past?at=${Date.now() / 1000 - 3600 - i * 60}`)).json();
    if (past.missing.length > 0) throw new Error(`no readings of ${past.missing.join(", ")}`);
    took.push(performance.now() - begin);
  }
  return took.sort((a, b) => a - b)[2];
}

async function measureFederation(program, diagnosers = 10, nodes = 1000) {
  const { readFileSync } = await import("node:fs");
  const mocks = [];
  for (let i = 0; i < Number(diagnosers); i += 1)
    mocks.push(await startMock({ nodes: Number(nodes), churn: 0.25 }));
  const all = Number(diagnosers) * Number(nodes);
  const { url, pid, stop } = await startFederation(
    program,
    mocks.map((mock) => mock.url),
    all,
  );
  const ticks = () =>
    readFileSync(`/proc/${pid}/stat`, "utf8")
      .split(") ")[1]
      .split(" ")
      .slice(11, 13)
      .reduce((a, b) => Number(a) + Number(b), 0);
  const [before, began] = [ticks(), Date.now()];
  await measure(`${diagnosers} diagnosers of ${nodes} nodes, updates`, url, wait);
  await measure(`${diagnosers} diagnosers of ${nodes} nodes, zooming`, url, (page) =>
    zoomAbout(page, SECONDS),
  );
  const seconds = (Date.now() - began) / 1000;
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  console.log(
    `federate: ${((ticks() - before) / 100 / seconds).toFixed(3)} CPU s/s, ${resident.toFixed(0)} MiB, ` +
      `the past after ${(await timePast(url)).toFixed(0)} ms`,
  );
  stop();
  for (const mock of mocks) mock.close();
}

const [given, ...more] = process.argv.slice(2);
if (given === "--incidents") {
  const mock = more[0] ? null : await startMock({ nodes: 1000, incidents: 7300 });
  await measureIncidents((more[0] ?? mock.url).replace(/\/$/, ""));
  process.exit(0);
}
console.log(
  "| cluster | frames/s | p95 frame, ms | heap, MiB | tab, MiB | first paint, ms | nodes shown, ms |",
);
console.log("|---|---|---|---|---|---|---|");
const wait = (page) => page.waitForTimeout(SECONDS * 1000);
if (given === "--federate") {
  await measureFederation(...more);
} else if (given) {
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
