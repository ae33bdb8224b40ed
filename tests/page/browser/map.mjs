// map.mjs: the map under the hand: keys without a click first, zoom, what is drawn at which size, filters.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems, eventually } from "./page_under_test.mjs";

const spoken = (page) => page.locator(".stage [aria-live]").textContent();
const hoverName = (page) => page.locator(".tooltip .name").first().textContent();

/** A page whose map is drawn. */
const withMap = (browser, options, path, act) =>
  withPage(browser, options, path, async (page, mock) => {
    await page.locator(".scale-ramp").waitFor();
    await act(page, mock);
  });

function testKeys(browser) {
  test("N, arrows and Enter need no click in the map first", () =>
    withMap(browser, { nodes: 12 }, "/", async (page) => {
      await page.keyboard.press("ArrowRight");
      assert.match(await spoken(page), /^io01, server/);
      await page.keyboard.press("n");
      assert.match(await spoken(page), /disk-hog|packet-loss|disk-busy/);
      await page.keyboard.press("Enter");
      await page.locator("dialog.evidence .figures").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog.evidence").waitFor({ state: "detached" });
    }));

  test("keys of fields, buttons and sliders stay theirs", () =>
    withMap(browser, { nodes: 12 }, "/", async (page) => {
      await page.locator("#search").focus();
      await page.keyboard.type("n0+z");
      assert.equal(await page.locator("#search").inputValue(), "n0+z");
      assert.equal(await spoken(page), "");
      await page.locator("#search").fill("");
      await page.locator(".scrub").focus();
      await page.keyboard.press("ArrowLeft");
      assert.equal(await spoken(page), "");
      await page.getByRole("button", { name: "Legend" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("aside[aria-label=Legend]").waitFor();
      assert.equal(await spoken(page), "");
    }));

  test("panel and card follow N", () =>
    withMap(browser, { nodes: 12 }, "/?node=io01", async (page, mock) => {
      const marked = mock.cluster.verdicts.filter((one) => one.end === null).map((one) => one.node);
      await page.mouse.move(60, 180);
      await page.locator(".tooltip .name").first().waitFor();
      const seen = new Set();
      for (let i = 0; i < marked.length; i += 1) {
        await page.keyboard.press("n");
        const node = /^[^,]*/.exec(await spoken(page))[0];
        seen.add(node);
        await eventually(async () => (await page.locator(".panel h2 .name").textContent()) === node);
        assert.equal(await hoverName(page), node);
        assert.ok(page.url().includes(`node=${node}`));
      }
      assert.deepEqual([...seen].sort(), [...new Set(marked)].sort());
    }));
}

function testSizes(browser) {
  for (const nodes of [6, 100, 1000]) {
    test(`by keyboard alone from a verdict to its evidence, and axe finds nothing serious, at ${nodes} nodes`, () =>
      withMap(browser, { nodes }, "/", async (page) => {
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.keyboard.press("n");
        const said = await spoken(page);
        assert.match(said, /disk-hog|packet-loss|disk-busy|network-hog/);
        await page.keyboard.press("z");
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.keyboard.press("Enter");
        await page.locator("dialog.evidence .figures").waitFor();
        assert.ok((await page.locator("dialog.evidence h2").textContent()).includes(said.split(",")[0]));
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.keyboard.press("Escape");
        await page.locator("dialog.evidence").waitFor({ state: "detached" });
        await page.keyboard.press("0");
        await page.keyboard.press("?");
        await page.locator("aside[aria-label=Legend]").waitFor();
      }));
  }
}

function testZoom(browser) {
  for (const nodes of [6, 48, 1000]) {
    test(`Z fills the map with the node, at ${nodes} nodes`, () =>
      withMap(browser, { nodes }, "/", async (page) => {
        await page.keyboard.press("n");
        const node = /^[^,]*/.exec(await spoken(page))[0];
        await page.keyboard.press("z");
        const box = await page.locator(".stage canvas").boundingBox();
        const half = Math.min(box.width, box.height) / 2;
        // Wherever the node stands, its place takes most of the smaller side.
        let over = 0;
        const steps = 20;
        for (let i = 1; i < steps; i += 1) {
          await page.mouse.move(box.x + box.width / 2, box.y + (box.height * i) / steps);
          const card = page.locator(".tooltip .name").first();
          if ((await card.count()) > 0 && (await card.textContent()) === node) over += 1;
        }
        const across = (over / steps) * box.height;
        assert.ok(across > half * 1.5, `${across} of ${2 * half} pixels`);
      }));
  }

  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
  ]) {
    test(`no button lies over a node, ${viewport.width} wide`, () =>
      withMap(browser, { nodes: 100, context: { viewport } }, "/", async (page) => {
        const canvas = await page.locator(".stage canvas").boundingBox();
        const zoom = await page.locator(".zoom").boundingBox();
        const apart =
          zoom.x >= canvas.x + canvas.width ||
          zoom.x + zoom.width <= canvas.x ||
          zoom.y >= canvas.y + canvas.height ||
          zoom.y + zoom.height <= canvas.y;
        assert.ok(apart, JSON.stringify({ canvas, zoom }));
      }));
  }
}

function testFilters(browser) {
  test("a changed group filter opens the stream for those nodes, and for all again", () =>
    withMap(browser, { nodes: 24 }, "/", async (page, mock) => {
      const groups = () => JSON.stringify([...mock.streams].map((stream) => stream.groups));
      assert.equal(groups(), "[[]]");
      await page.getByLabel("Group", { exact: true }).selectOption("metadata-disks");
      await eventually(() => groups() === '[["metadata-disks"]]', { timeout: 5000 });
      await page.getByRole("button", { name: "Clear" }).click();
      await eventually(() => groups() === "[[]]", { timeout: 5000 });
      await page.getByRole("button", { name: "Nodes", exact: true }).click();
      const row = page.locator(".table tbody tr").filter({ hasText: "io03" });
      await eventually(async () => /requests\/s/.test(await row.first().textContent()), { timeout: 5000 });
    }));

  test("system load and CPU are colours of their own", () =>
    withMap(browser, { nodes: 12 }, "/", async (page) => {
      const colour = page.locator(".display select").first();
      await colour.selectOption("cpu");
      await eventually(async () => /%/.test(await page.locator(".scale").textContent()));
      await colour.selectOption("system_load");
      assert.match(page.url(), /colour=system_load/);
      const texts = await colour.locator("option").allTextContents();
      assert.ok(texts.includes("Disk requests") && texts.includes("CPU") && texts.includes("System load"));
    }));
}

export function testMap(browser) {
  testKeys(browser);
  testSizes(browser);
  testZoom(browser);
  testFilters(browser);
}
