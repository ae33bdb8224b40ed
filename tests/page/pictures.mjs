// pictures.mjs: screenshots for README and docs/live-page.md: node pictures.mjs FOLDER [URL of a diagnoser]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startBrowser } from "./browser/chromium.mjs";
import { startMock } from "./mock/server.mjs";

const [folder = "pictures", given] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();

async function shoot(
  name,
  url,
  { width = 1280, height = 720, scheme = "light", scale = 1.5, ready, act } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: scheme,
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
  await page.goto(url);
  await page
    .locator(ready ?? ".timeline")
    .first()
    .waitFor();
  await act?.(page);
  await page.waitForTimeout(1600); // values glide, charts draw
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

async function evidenceAddress(url) {
  const { verdicts } = await (await fetch(`${url}/api/v1/verdicts?from=0`)).json();
  const worst =
    verdicts.filter((one) => one.end === null).sort((a, b) => a.rank - b.rank)[0] ?? verdicts.at(-1);
  return `${url}/?node=${encodeURIComponent(worst.node)}&evidence=${worst.id}`;
}

if (given) {
  await shoot("live-overview", given);
  await shoot("live-evidence", await evidenceAddress(given), {
    ready: ".evidence .figures",
  });
} else {
  const small = await startMock({ nodes: 48 });
  await shoot("live-overview", small.url);
  await shoot("live-overview-dark", small.url, { scheme: "dark" });
  await shoot("live-evidence", await evidenceAddress(small.url), {
    ready: ".evidence .figures",
  });
  const node = small.mock.cluster.verdicts.at(-2).node;
  await shoot("live-node", `${small.url}/?node=${node}`, {
    ready: ".component .chart canvas",
  });
  await shoot("live-persistent", `${small.url}/?view=persistent`, {
    ready: ".table",
  });
  await shoot("live-phone", small.url, { width: 390, height: 844, scale: 2 });
  const large = await startMock({ nodes: 1000 });
  await shoot("live-1000", large.url);
  const replay = await startMock({ nodes: 24, replay: true });
  const { begin } = replay.mock.cluster.recording;
  await shoot("live-replay", `${replay.url}/?at=${Math.round(begin + 650)}&speed=20`, { ready: ".player" });
  if (process.env.LIMPET_ALL_PICTURES) {
    const huge = await startMock({ nodes: 10_000 });
    await shoot("live-10000", huge.url, { scheme: "dark" });
    const hostile = await startMock({ nodes: 12, hostile: true });
    await shoot("live-hostile", hostile.url);
    await shoot("live-legend", `${small.url}/?legend=1`, {});
    await shoot("live-nodes", `${small.url}/?view=nodes`, { ready: ".table" });
    await shoot("live-six", (await startMock({ nodes: 8 })).url, {});
    await shoot("live-phone-evidence", await evidenceAddress(small.url), {
      width: 390,
      height: 844,
      ready: ".evidence .figures",
    });
    await shoot("live-evidence-dark", await evidenceAddress(small.url), {
      ready: ".evidence .figures",
      scheme: "dark",
    });
  }
}
await browser.close();
process.exit(0);
