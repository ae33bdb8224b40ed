// shoot.mjs: one screenshot of the page.
import { join } from "node:path";
import { startBrowser } from "./chromium.mjs";

export async function startCamera(folder) {
  const browser = await startBrowser();
  return {
    shoot: (name, url, options = {}) => shoot(browser, folder, name, url, options),
    close: () => browser.close(),
  };
}

async function shoot(
  browser,
  folder,
  name,
  url,
  { width = 1280, height = 720, scheme = "light", scale = 1.5, ready, act },
) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    colorScheme: scheme,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // other work on the machine must not cost the picture
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
