// chromium.mjs: Debian's Chromium, driven by playwright-core; nothing of it speaks to the network.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [
  process.env.LIMPET_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export async function startBrowser(args = []) {
  const executablePath = PLACES.find((path) => path && existsSync(path));
  if (!executablePath)
    throw new Error("no Chromium: scripts/setup installs it; LIMPET_CHROMIUM names another");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      ...args,
    ],
  });
}
