// past.mjs: what the map shows of an instant of the past, and what the stream is asked for at each zoom.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems, eventually, findColour, importPageModule } from "./page_under_test.mjs";

const palette = await importPageModule("diagnoser/page/src/render/palette.ts");
const spoken = (page) => page.locator(".stage [aria-live]").textContent();
const told = (page) => page.locator(".display [aria-live]").textContent();
const tooltip = (page) => page.locator(".tooltip .values").textContent();
const hours = (count) => Math.round(Date.now() / 1000 - count * 3600);

function testPast(browser) {
  test("back in time the nodes show the means of then, and those of now again", () =>
    withPage(browser, { nodes: 12 }, "/", async (page) => {
      await page.locator(".scale-ramp").waitFor();
      assert.equal(await told(page), "");
      await page.locator(".scrub").fill(String(hours(1)));
      await eventually(async () => /^means of \d\d:\d\d to \d\d:\d\d$/.test(await told(page)));
      await page.locator(".scale-ramp").waitFor();
      assert.equal(await findColour(page, palette.LIGHT.unknown), null);
      await page.locator(".stage canvas").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await spoken(page), /^io01, server, .*requests\/s.*, received /);
      const then = await tooltip(page);
      assert.match(then, /requests\/s.*received/);
      assert.deepEqual(await accessibilityProblems(page), []);
      // What comes meanwhile is of now.
      await page.waitForTimeout(1200);
      assert.equal(await tooltip(page), then);
      await page.getByRole("button", { name: "Back to now" }).click();
      await eventually(async () => (await told(page)) === "");
      await page.locator(".scale-ramp").waitFor();
    }));

  test("an instant in the address shows its readings, in the table and the panel too", () =>
    withPage(browser, { nodes: 12 }, `/?view=nodes&node=io02&at=${hours(1)}`, async (page) => {
      const row = page.locator(".table tbody tr").filter({ hasText: "io02" }).first();
      await eventually(async () => /requests\/s/.test(await row.textContent()));
      await page.locator(".panel .tiles").waitFor();
      const before = await row.textContent();
      await page.waitForTimeout(2500);
      assert.equal(await row.textContent(), before);
    }));

  test("nodes are grey only where nothing is known, and the page says so", async () => {
    await withPage(browser, { nodes: 12 }, `/?at=${hours(5)}`, async (page) => {
      await eventually(async () => /^readings are kept since \d\d:\d\d$/.test(await told(page)));
      assert.equal(await page.locator(".scale-ramp").count(), 0);
      await page.locator(".stage canvas").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await spoken(page), /readings are kept since/);
      await page.locator(".tooltip").getByText("readings are kept since").waitFor();
    });
    await withPage(browser, { nodes: 12, forgets: true }, `/?at=${hours(1)}`, async (page) => {
      await eventually(async () => (await told(page)) === "no readings of then are kept");
    });
  });

  test("a replay shows the readings of its instant", () =>
    withPage(browser, { nodes: 12, replay: true }, "/", async (page, mock) => {
      await page.locator(".scale-ramp").waitFor();
      await page.locator(".scrub").fill(String(Math.round(mock.cluster.recording.begin + 600)));
      await page.locator(".scale-ramp").waitFor();
      assert.equal(await findColour(page, palette.LIGHT.unknown), null);
      assert.equal(await told(page), "");
    }));
}

function testColumns(browser) {
  const columns = (mock) => [...mock.streams].map((stream) => stream.columns.join()).join(" ");

  test("the stream has the columns that the zoom draws", () =>
    withPage(browser, { nodes: 1000 }, "/", async (page, mock) => {
      await page.locator(".scale-ramp").waitFor();
      await eventually(() => columns(mock) === "load,up,util");
      await page.locator(".display select").first().selectOption("cpu");
      await eventually(() => columns(mock) === "cpu,up,util");
      for (let i = 0; i < 3; i += 1) await page.getByRole("button", { name: "Zoom in" }).click();
      await eventually(() => columns(mock) === "cpu,net_in,net_out,space,up,util");
      for (let i = 0; i < 4; i += 1) await page.getByRole("button", { name: "Zoom in" }).click();
      await eventually(() => columns(mock) === "");
      await page.getByRole("button", { name: "Show all nodes" }).click();
      await eventually(() => columns(mock) === "cpu,up,util");
    }));

  test("whoever looks at a node gets all of it, and the stream is small again afterwards", () =>
    withPage(browser, { nodes: 1000 }, "/", async (page, mock) => {
      await page.locator(".scale-ramp").waitFor();
      await eventually(() => columns(mock) === "load,up,util");
      await page.keyboard.press("ArrowRight");
      await eventually(() => columns(mock) === "");
      await eventually(async () => /requests\/s.*, received /.test(await spoken(page)));
      assert.match(await tooltip(page), /read from its disks.*received/);
      await page.mouse.move(5, 5);
      await page.locator(".stage canvas").dispatchEvent("pointerleave");
      await eventually(() => columns(mock) === "load,up,util");
      await page.getByRole("button", { name: "Nodes", exact: true }).click();
      await eventually(() => columns(mock) === "");
    }));

  test("the stream has the nodes that are on the screen, and more when the map moves", () =>
    withPage(browser, { nodes: 1000 }, "/", async (page, mock) => {
      const stream = () => [...mock.streams][0];
      await page.locator(".scale-ramp").waitFor();
      await eventually(() => stream()?.places === null && stream().rows === 1000);
      for (let i = 0; i < 5; i += 1) await page.getByRole("button", { name: "Zoom in" }).click();
      await eventually(() => stream()?.places?.startsWith(`${mock.cluster.version}:`));
      await eventually(() => stream()?.rows > 10 && stream().rows < 500);
      const before = stream().places;
      // Nobody on the screen is grey, before and after the map has moved.
      await eventually(async () => (await findColour(page, palette.LIGHT.unknown)) === null);
      await page.locator(".stage canvas").focus();
      for (let i = 0; i < 12; i += 1) await page.keyboard.press("Shift+ArrowRight");
      await eventually(() => stream()?.places !== before && stream()?.places !== undefined);
      await eventually(async () => (await findColour(page, palette.LIGHT.unknown)) === null);
      // Who enters gives the others new places: the stream is of them, too.
      mock.change((cluster) => cluster.nodes.splice(3, 1));
      await eventually(() => stream()?.places?.startsWith(`${mock.cluster.version}:`));
      await page.getByRole("button", { name: "Nodes", exact: true }).click();
      await eventually(() => stream()?.places === null && stream().rows === 999);
    }));

  test("what began while the tab was hidden is there when it is seen again", () =>
    withPage(browser, { nodes: 12 }, "/", async (page, mock) => {
      await page.locator(".verdict-active").first().waitFor();
      const hide = (hidden) =>
        page.evaluate((value) => {
          Object.defineProperty(document, "hidden", { value, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
      await hide(true);
      await eventually(() => mock.streams.size === 0);
      const before = await page.locator(".verdict-active").count();
      const begin = Date.now() / 1000 - 5;
      mock.say({ ...mock.cluster.verdicts.at(-1), id: "00000000000000cc", node: "io07", begin, end: null });
      await hide(false);
      await eventually(async () => (await page.locator(".verdict-active").count()) === before + 1);
    }));
}

export function testPastAndColumns(browser) {
  testPast(browser);
  testColumns(browser);
}
