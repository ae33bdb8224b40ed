// drawn.mjs: what is written on the map itself: letters of causes, names, values with their units, titles in their order.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { drawnTexts, eventually, importPageModule } from "./page_under_test.mjs";

const { CAUSES } = await importPageModule("diagnoser/page/src/text/cause_table.ts");

function testCauses(browser) {
  test("every cause has its letter on the map and in the list, none a question mark", () =>
    withPage(browser, { nodes: 48 }, "/", async (page, mock) => {
      await eventually(() => mock.streams.size > 0);
      const begin = Date.now() / 1000 - 60;
      const first = mock.cluster.verdicts.at(-1);
      for (const [i, { name }] of CAUSES.entries()) {
        const id = `00000000000001${String(i).padStart(2, "0")}`;
        const node = `io${String(i + 10).padStart(2, "0")}`;
        mock.say({ ...first, id, node, cause: name, begin, end: null, rank: 1, secondary_to: null });
      }
      const letters = CAUSES.map(({ letter }) => letter);
      assert.ok(CAUSES.length >= 11);
      const texts = await drawnTexts(page, (all) => letters.every((letter) => all.includes(letter)));
      assert.ok(!texts.includes("?"));
      const tags = page.locator(".verdict-active .cause");
      await eventually(async () => (await tags.count()) >= CAUSES.length);
      const told = await tags.allTextContents();
      for (const { letter, name } of CAUSES) assert.ok(told.includes(`${letter}${name}`), name);
    }));
}

function testNames(browser) {
  for (const nodes of [6, 48, 100]) {
    test(`every node has its name, unless Names is off: ${nodes} nodes`, () =>
      withPage(browser, { nodes }, "/", async (page, mock) => {
        const names = mock.cluster.nodes.map(({ node }) => node);
        await drawnTexts(page, (texts) => names.every((name) => texts.includes(name)));
        await page.getByRole("button", { name: "Names", exact: true }).click();
        await drawnTexts(page, (texts) => !names.some((name) => texts.includes(name)));
      }));
  }
}

function testCards(browser) {
  const value =
    /^([↓↑] )?\d[\d.]*(e-\d+)? ?([kMGTP]?B\/s|[kMGTP]?(| requests| operations)\/s|[kMGTP]? requests\/s)$/;
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 700, height: 500 },
    { width: 390, height: 844 },
  ]) {
    test(`values on cards have whole units, ${viewport.width} wide`, () =>
      withPage(browser, { nodes: 6, context: { viewport } }, "/", async (page) => {
        const texts = await drawnTexts(page, (all) => all.some((text) => /B\/s$/.test(text)));
        const numbers = texts.filter((text) => /^([↓↑] )?\d/.test(text) && !text.includes("·"));
        assert.ok(numbers.length >= 6, numbers.join());
        for (const text of numbers) assert.match(text, value);
      }));
  }
}

function testOrder(browser) {
  test("servers of other file systems stand before the clients", () =>
    withPage(browser, { nodes: 48 }, "/", async (page, mock) => {
      await eventually(() => mock.streams.size > 0);
      mock.change(({ nodes }) => {
        for (const [i, node] of nodes.entries()) {
          if (node.role !== "client") node.role = ["oss", "mds", "osd"][i % 3];
        }
      });
      const titles = ["Metadata servers", "Object storage daemons", "Object storage servers", "Clients"];
      const texts = await drawnTexts(page, (all) => titles.every((title) => all.includes(title)));
      for (const title of titles) assert.ok(texts.indexOf(title) <= texts.indexOf("Clients"), title);
    }));
}

export function testDrawn(browser) {
  testCauses(browser);
  testNames(browser);
  testCards(browser);
  testOrder(browser);
}
