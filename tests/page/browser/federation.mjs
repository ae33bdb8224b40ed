// federation.mjs: several diagnosers on one page.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems, eventually } from "./page_under_test.mjs";

const member = (name, marks = [], nodes = 24) => ({
  member: name,
  url: `http://${name}:9837`,
  program: "0.1.0",
  nodes,
  answered: 1,
  clock_ahead_seconds: 0,
  marks,
});

function testMembers(browser) {
  test("each diagnoser stands above the map, with what is to be known of it", () => {
    const down = { mark: "down", text: "has not answered for 12 s: refused" };
    const names = { mark: "names", text: "1 of its nodes have names that others have, too: io01" };
    const members = [member("north", [names]), member("south", [down]), member("<b>west", [])];
    return withPage(browser, { nodes: 24, members }, "/", async (page) => {
      const shown = page.locator(".member");
      await shown.first().waitFor();
      assert.equal(await shown.count(), 3);
      assert.match(await shown.nth(0).textContent(), /north.*same names/);
      assert.match(await shown.nth(1).textContent(), /south.*down.*has not answered for 12 s/);
      assert.equal(await shown.nth(2).locator("bdi").textContent(), "<b>west");
      assert.match(await shown.nth(1).getAttribute("class"), /member-gone/);
      // By keyboard: its nodes are put in focus, and all again.
      await shown.nth(0).focus();
      await page.keyboard.press("Enter");
      await eventually(() => page.url().includes("q=diagnoser"));
      assert.equal(await shown.nth(0).getAttribute("aria-pressed"), "true");
      await page.keyboard.press("Enter");
      await eventually(() => !page.url().includes("q="));
      assert.deepEqual(await accessibilityProblems(page), []);
    });
  });

  test("one diagnoser alone has no such row", () =>
    withPage(browser, { nodes: 6 }, "/", async (page) => {
      await page.locator(".status .dot").waitFor();
      assert.equal(await page.locator(".members").count(), 0);
    }));

  test("a server's dashboard is where its own diagnoser says, by its own name", () => {
    const members = [{ ...member("north"), grafana: "https://grafana.north/g" }, member("south")];
    return withPage(browser, { nodes: 6, members }, "/", async (page, mock) => {
      mock.change((cluster) => {
        cluster.nodes[0].node = "north/io01";
        cluster.nodes[1].node = "south/io01";
      });
      const base = page.url().split("?")[0];
      const link = page.getByRole("link", { name: "Dashboard in Grafana" });
      await page.goto(`${base}?node=north/io01`);
      await link.waitFor();
      const wanted = "https://grafana.north/g/d/limpet-server?var-node=io01";
      assert.equal(await link.getAttribute("href"), wanted);
      await page.goto(`${base}?node=south/io01`);
      await page.locator(".panel .tiles").waitFor();
      assert.equal(await link.count(), 0);
    });
  });

  test("the past has its readings, and says whose are missing", () =>
    withPage(
      browser,
      { nodes: 6, members: [member("north"), member("<b>south")], silent: ["<b>south"] },
      `/?at=${Math.round(Date.now() / 1000 - 3600)}`,
      async (page) => {
        const told = page.locator(".display [aria-live]");
        await eventually(async () =>
          /^means of \d\d:\d\d to \d\d:\d\d, none of <b>south$/.test(await told.textContent()),
        );
        await page.locator(".scale-ramp").waitFor();
        await page.keyboard.press("ArrowRight");
        await eventually(async () =>
          /requests\/s/.test(await page.locator(".stage [aria-live]").textContent()),
        );
        await page.getByRole("button", { name: "Back to now" }).click();
        await eventually(async () => (await told.textContent()) === "");
      },
    ));

  test("it is not green while one of them is not known", () => {
    const late = { mark: "late", text: "its readings are 40 s old" };
    return withPage(browser, { nodes: 6, members: [member("north", [late])] }, "/", async (page, mock) => {
      for (const verdict of mock.cluster.verdicts) mock.say({ ...verdict, end: verdict.end ?? mock.now() });
      await page.reload();
      const status = page.locator('.status[role="status"]');
      await eventually(async () => (await status.textContent()).includes("None limps"));
      assert.match(await status.textContent(), /not known now: north/);
      assert.doesNotMatch(await status.getAttribute("class"), /status-good/);
    });
  });
}

function testAnswer(browser) {
  const path = (mock) => `/?incident=${mock.cluster.verdicts[0].id}`;

  test("a federation has no answers of its own", () =>
    withPage(browser, { nodes: 12, members: [member("north")] }, "/", async (page, mock) => {
      await page.goto(new URL(path(mock), page.url()).href);
      await page.locator(".incident h2").waitFor();
      assert.equal(await page.locator(".answer-open").count(), 0);
    }));
}

export function testFederation(browser) {
  testMembers(browser);
  testAnswer(browser);
}
