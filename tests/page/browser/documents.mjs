// documents.mjs: playbooks and documents as pages: anchors, light and dark, a phone, paper.
import assert from "node:assert/strict";
import test from "node:test";
import { startMock } from "../mock/server.mjs";
import { accessibilityProblems } from "./page_under_test.mjs";

async function withDocument(browser, path, options, act) {
  const { url, close } = await startMock({ nodes: 6 });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(url + path);
    await page.locator("h1").waitFor();
    await act(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    close();
  }
}

const top = (locator) => locator.evaluate((element) => element.getBoundingClientRect().top);

export function testDocuments(browser) {
  test("an alert's link opens its entry, with tables for tables", () =>
    withDocument(browser, "/playbooks#limpetgroupstorm", {}, async (page) => {
      const at = await top(page.locator("#limpetgroupstorm"));
      assert.ok(at >= 0 && at < 200, String(at));
      assert.ok((await page.locator("main table").count()) > 3);
      assert.equal(await page.locator("#missing").isVisible(), false);
      assert.ok(!(await page.locator("main").textContent()).includes("|---"));
    }));

  test("a name as people write it is found, and an unknown one says so at the top", () =>
    withDocument(browser, "/playbooks#LimpetGroupStorm", {}, async (page) => {
      assert.ok((await top(page.locator("#limpetgroupstorm"))) < 200);
      await page.goto(`${page.url().split("#")[0]}#no<such>entry`);
      await page.locator("#missing").waitFor();
      assert.match(await page.locator("#missing").textContent(), /no<such>entry/);
      assert.equal(await page.evaluate(() => window.scrollY), 0);
      await page.goto(`${page.url().split("#")[0]}#limpetclockskew`);
      await page.locator("#missing").waitFor({ state: "hidden" });
    }));

  for (const scheme of ["light", "dark"]) {
    test(`documents read well: axe-core, ${scheme}`, () =>
      withDocument(browser, "/playbooks", { colorScheme: scheme }, async (page) => {
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(background === "rgb(17, 22, 28)", scheme === "dark");
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.goto(new URL("/docs/how-it-decides", page.url()).href);
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.getByRole("button", { name: "Light or dark" }).click();
        const after = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.notEqual(after, background);
      }));
  }

  test("a phone shows the text first, no wider than itself; paper shows the text alone", () =>
    withDocument(browser, "/playbooks", { viewport: { width: 390, height: 844 } }, async (page) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      assert.ok((await top(page.locator("h1"))) < 300);
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator(".contents").isVisible(), false);
      assert.equal(await page.locator("h1").isVisible(), true);
    }));

  test("documents lead to each other", () =>
    withDocument(browser, "/docs", {}, async (page) => {
      await page.locator('main a[href="/docs/how-it-decides"]').first().click();
      await page.locator("h1", { hasText: /how/i }).waitFor();
      await page.locator(".brand").click();
      await page.locator(".timeline").waitFor();
    }));
}
