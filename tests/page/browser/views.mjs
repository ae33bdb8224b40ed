// views.mjs: servers side by side, an incident's own page, filtered nodes that leave, what is seen as a file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems, eventually } from "./page_under_test.mjs";

function testSideBySide(browser) {
  test("servers of a kind stand side by side, in the order that is asked for", () =>
    withPage(browser, { nodes: 24 }, "/?view=servers", async (page) => {
      const names = () => page.locator(".server .name").first().textContent();
      await page.locator(".small-multiple").first().waitFor();
      assert.equal(await page.locator(".server").count(), 18);
      assert.equal(await names(), "io01");
      await page.getByLabel("Order").selectOption("small_writes");
      await eventually(async () => (await names()) !== "io01");
      await page.getByLabel("Kind").selectOption("metadata");
      await eventually(async () => (await page.locator(".server").count()) === 2);
      assert.match(await page.locator(".server").first().textContent(), /^mds0/);
      await eventually(async () => (await page.locator(".server .mix").count()) === 2);
      // A metadata server's operations, the most frequent first, on one scale for all.
      const operations = await page.locator(".server").first().locator(".mix-name").allTextContents();
      assert.deepEqual(operations.slice(0, 3), ["stat", "open", "create"]);
      assert.match(
        await page.locator(".small-multiple").first().getAttribute("aria-label"),
        /^Requests a second by size: /,
      );
      assert.match(
        await page.locator(".latencies").first().textContent(),
        /reads.* small .* large.*writes.* small .* large/,
      );
      assert.deepEqual(await accessibilityProblems(page), []);
      assert.match(page.url(), /kind=metadata&order=small_writes/);
      await page.reload();
      await eventually(async () => (await page.locator(".server").count()) === 2);
    }));
}

function testIncident(browser) {
  test("an incident has a page of its own", () =>
    withPage(browser, { nodes: 12 }, "/", async (page, mock) => {
      const { id, node } = mock.cluster.verdicts.find((one) => one.end !== null);
      await page.goto(`${page.url()}?incident=${id}`);
      const life = page.locator(".life li");
      await life.first().waitFor();
      const texts = await life.allTextContents();
      assert.match(texts[0], /began to differ/);
      assert.ok(texts.some((text) => /answered: known by ann: a rebuild of md0/.test(text)));
      assert.match(texts.at(-1), /ended: like its peers again/);
      assert.ok((await page.locator(".incident h2").textContent()).includes(node));
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.getByRole("link", { name: "Evidence" }).click();
      await page.locator("dialog.evidence .figures").waitFor();
    }));

  test("an incident that is not known is said so", () =>
    withPage(browser, { nodes: 6, expected: /404/ }, "/?incident=0123456789abcdef", async (page) => {
      await page.locator(".incident [role=alert]").waitFor();
      assert.match(
        await page.locator(".incident").textContent(),
        /0123456789abcdef.*older than what is kept/,
      );
      await page.getByRole("button", { name: "Cluster", exact: true }).click();
      await page.locator(".scale-ramp").waitFor();
    }));
}

function testDashboards(browser) {
  const GRAFANA = "https://grafana.site/g";
  const link = (page) => page.getByRole("link", { name: "Dashboard in Grafana" });
  const query = async (page) => new URL(await link(page).getAttribute("href")).searchParams;

  test("a server, its evidence and an incident lead to its dashboard, over their time", () =>
    withPage(browser, { nodes: 12, grafana: GRAFANA }, "/?node=io02", async (page, mock) => {
      await link(page).waitFor();
      assert.equal(await link(page).getAttribute("href"), `${GRAFANA}/d/limpet-server?var-node=io02`);
      const at = Math.round(Date.now() / 1000 - 3600);
      await page.locator(".scrub").fill(String(at));
      await eventually(async () => (await query(page)).get("from") === String((at - 1800) * 1000));
      const { id, node, since, end } = mock.cluster.verdicts.find((one) => one.end !== null);
      await page.goto(`${page.url().split("?")[0]}?evidence=${id}`);
      await page.locator("dialog.evidence .figures").waitFor();
      const evidence = await query(page);
      assert.deepEqual(
        [evidence.get("var-node"), evidence.get("from"), evidence.get("to")],
        [node, String((since - 1800) * 1000), String((end + 1800) * 1000)],
      );
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.goto(`${page.url().split("?")[0]}?incident=${id}`);
      await link(page).waitFor();
      assert.equal((await query(page)).get("var-node"), node);
    }));

  test("without an address, or with one that is none, there is no such link", async () => {
    for (const grafana of [null, "javascript:alert(1)"]) {
      await withPage(browser, { nodes: 6, grafana }, "/?node=io01", async (page) => {
        await page.locator(".panel .tiles").waitFor();
        assert.equal(await link(page).count(), 0);
      });
    }
  });
}

function testFilesAndFilters(browser) {
  test("nodes that do not match leave the map, and come back", () =>
    withPage(browser, { nodes: 48 }, "/?role=metadata", async (page) => {
      await page.locator(".scale-ramp").waitFor();
      await page.getByRole("button", { name: "Only these" }).click();
      assert.match(page.url(), /only=1/);
      // The first place is now the first metadata server's, and large.
      const first = async () => {
        await page.mouse.move(100, 220);
        const card = page.locator(".tooltip .name").first();
        return (await card.count()) > 0 ? card.textContent() : "";
      };
      await eventually(async () => {
        await page.mouse.move(5, 5);
        return (await first()) === "mds01";
      });
      await page.getByRole("button", { name: "Clear" }).click();
      await eventually(async () => {
        await page.mouse.move(5, 5);
        return /^io/.test(await first());
      });
    }));

  test("a table is downloaded as CSV, in its order, with names that are no formulas", () =>
    withPage(browser, { nodes: 12, hostile: true }, "/?view=nodes", async (page) => {
      await page.locator(".table tbody tr").first().waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download CSV" }).click(),
      ]);
      assert.match(file.suggestedFilename(), /^limpet-nodes-\d{8}T\d{6}Z\.csv$/);
      const text = readFileSync(await file.path(), "utf8");
      assert.match(text, /^Node,Role,Verdict,/);
      assert.ok(text.includes('"<img src=x onerror=""window.hacked=\'img\'"">"'));
      assert.equal(text.trim().split("\r\n").length, 1 + 12 + 5);
    }));

  test("the map is downloaded as a picture", () =>
    withPage(browser, { nodes: 12 }, "/", async (page) => {
      await page.locator(".scale-ramp").waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download the map as PNG" }).click(),
      ]);
      assert.match(file.suggestedFilename(), /^limpet-map-.*\.png$/);
      assert.equal(
        readFileSync(await file.path())
          .subarray(1, 4)
          .toString(),
        "PNG",
      );
    }));
}

function testNarrow(browser) {
  test("half a screen: tabs on one line, nothing beside the window", () =>
    withPage(browser, { nodes: 24 }, "/", async (page) => {
      for (const width of [1100, 960, 700, 390]) {
        await page.setViewportSize({ width, height: 720 });
        const heights = await page.locator(".tab").evaluateAll((tabs) => tabs.map((tab) => tab.scrollHeight));
        assert.ok(Math.max(...heights) <= 56, `${width}: tabs of ${heights.join(", ")} pixels`);
        const chips = await page.locator(".display").evaluate((bar) => bar.getBoundingClientRect().height);
        assert.ok(width < 700 || chips <= 90, `${width}: ${chips} pixels of switches`);
        assert.ok(
          (await page.evaluate(() => document.documentElement.scrollWidth)) <= width,
          `${width} pixels`,
        );
      }
    }));
}

export function testViews(browser) {
  testNarrow(browser);
  testSideBySide(browser);
  testIncident(browser);
  testDashboards(browser);
  testFilesAndFilters(browser);
}
