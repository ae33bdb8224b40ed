// incidents.mjs: the incidents of a month and of a year.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems, eventually } from "./page_under_test.mjs";

const YEAR = 7300;
const rows = (page) => page.locator(".table tbody tr");
const number = async (page) => Number(await page.locator(".incidents-head h2 .muted").textContent());

export function testIncidents(browser) {
  test("a month of a year's incidents: each day, each incident, and one of them", () =>
    withPage(browser, { nodes: 48, incidents: YEAR }, "/?view=incidents", async (page) => {
      await rows(page).first().waitFor();
      assert.equal(await number(page), 600);
      assert.match(
        await page.locator(".days svg").getAttribute("aria-label"),
        /^600 incidents in 3[01] days, at most 2[0-9] in a day$/,
      );
      assert.equal(await rows(page).count(), 50);
      await page.getByRole("button", { name: "Show more (550 left)" }).click();
      assert.equal(await rows(page).count(), 100);
      assert.match(await page.locator(".right").textContent(), /90 days: .*disk-busy 11 of 12$/);
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.getByLabel("Search nodes, labels, devices").fill("mds01");
      await eventually(async () => (await number(page)) < 600);
      await page.locator(".table tbody .link").first().click();
      await page.locator(".incident").waitFor();
    }));

  test("a year is read in parts, each shown as it comes", () =>
    withPage(browser, { nodes: 48, incidents: YEAR }, "/?view=incidents", async (page) => {
      const asked = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/v1/incidents?")) asked.push(new URL(request.url()).searchParams);
      });
      await rows(page).first().waitFor();
      await page.getByLabel("Span").selectOption({ label: "The last year" });
      assert.match(page.url(), /days=365/);
      await eventually(async () => (await number(page)) === 7300);
      const parts = asked.filter(
        (query) => Number(query.get("to")) - Number(query.get("from")) > 360 * 86_400,
      );
      assert.equal(parts.length, 8);
      assert.equal(new Set(parts.map((query) => query.get("before"))).size, 8);
    }));

  test("no incident in a day is said so; a replay has no history", async () => {
    await withPage(browser, { nodes: 48, incidents: 0 }, "/?view=incidents&days=1", async (page) => {
      await page.getByText("No incident in this time.").waitFor();
    });
    await withPage(browser, { nodes: 48, incidents: 30, replay: true }, "/", async (page) => {
      await page.locator(".scale-ramp").waitFor();
      assert.equal(await page.getByRole("button", { name: "Incidents", exact: true }).count(), 0);
    });
  });

  // By the processor time of the tab, since the machine has other work too; measure.mjs --incidents tells the rest.
  test("a month of 600 incidents costs less than a second until it is painted", () =>
    withPage(browser, { nodes: 48, incidents: YEAR }, "/?view=incidents", async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      const spent = async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        return metrics.find(({ name }) => name === "TaskDuration").value;
      };
      await page.goto("about:blank");
      const before = await spent();
      await page.goBack();
      await rows(page).nth(49).waitFor();
      await page.evaluate(() => new Promise((shown) => requestAnimationFrame(shown)));
      assert.ok((await spent()) - before <= 1, `${(await spent()) - before} s`);
    }));
}
