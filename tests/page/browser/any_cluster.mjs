// any_cluster.mjs: what holds for every cluster with at least one verdict: the simulated one, or a diagnoser that runs.
// `expected`: the node and cause of an injected fault, when the caller knows them.
import assert from "node:assert/strict";
import test from "node:test";
import {
  accessibilityProblems,
  ask,
  eventually,
  findColour,
  importPageModule,
  openPage,
} from "./page_under_test.mjs";

const units = await importPageModule("diagnoser/page/src/text/units.ts");
const palette = await importPageModule("diagnoser/page/src/render/palette.ts");
const causes = await importPageModule("diagnoser/page/src/text/causes.ts");
const names = await importPageModule("diagnoser/page/src/text/names.ts");

async function worstVerdict(url, expected) {
  return eventually(async () => {
    const { verdicts } = await ask(url, "/api/v1/verdicts?from=0");
    const now = verdicts.filter((one) => one.end === null && one.secondary_to === null);
    const known = expected
      ? now.filter((one) => one.node === expected.node && one.cause === expected.cause)
      : now;
    return (known.length > 0 ? known : expected ? [] : verdicts).sort((a, b) => a.rank - b.rank)[0];
  });
}

export function testAnyCluster(browser, url, expected) {
  test("the ring is on the node that the API names", async () => {
    const verdict = await worstVerdict(url, expected);
    const { page, complaints, close } = await openPage(
      browser,
      url,
      `/?q=${encodeURIComponent(verdict.node)}&hide=heat`,
    );
    const colour = palette.LIGHT.family[causes.describeCause(verdict.cause).family];
    // Others are out of the search's focus and so have a paler ring.
    const ring = await eventually(() => findColour(page, colour));
    await page.mouse.move(ring.x, ring.y);
    await page.locator(".tooltip .name").first().waitFor();
    assert.equal(await page.locator(".tooltip .name").first().textContent(), names.displayName(verdict.node));
    assert.equal(
      await page.locator(".tooltip .cause").textContent(),
      `${causes.describeCause(verdict.cause).letter}${verdict.cause}`,
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test("a click on the ring opens the evidence, with the API's numbers", async () => {
    const verdict = await worstVerdict(url, expected);
    const { page, complaints, close } = await openPage(
      browser,
      url,
      `/?q=${encodeURIComponent(verdict.node)}&hide=heat`,
    );
    const colour = palette.LIGHT.family[causes.describeCause(verdict.cause).family];
    const ring = await eventually(() => findColour(page, colour));
    // What the API says of a verdict that goes on changes with every window: compared is what this page was told.
    const told = page.waitForResponse((response) => response.url().includes("/api/v1/evidence/"));
    await page.mouse.click(ring.x, ring.y);
    const evidence = await (await told).json();
    assert.equal(evidence.verdict.id, verdict.id);
    const dialog = page.locator("dialog.evidence");
    await dialog.locator(".figures").waitFor();
    assert.match(page.url(), new RegExp(`evidence=${verdict.id}`));
    const metric = evidence.metrics[0];
    const figure = (name) => dialog.locator(`[data-figure=${name}]`).textContent();
    assert.equal(await figure("mean"), units.formatValue(metric.mean, metric.unit));
    assert.equal(await figure("peer-median"), units.formatValue(metric.peer_median, metric.unit));
    assert.equal(await figure("degree"), units.formatNumber(metric.degree));
    assert.equal(await figure("threshold"), units.formatNumber(metric.threshold));
    assert.equal(await dialog.locator(".checklist li").count(), evidence.checklist.length);
    const text = await dialog.textContent();
    for (const words of [...evidence.facts, evidence.next_step]) assert.ok(text.includes(words), words);
    if (metric.series ?? metric.means) assert.equal(await dialog.locator(".chart canvas").count(), 1);
    await page.keyboard.press("Escape");
    await eventually(async () => (await page.locator("dialog.evidence").count()) === 0);
    assert.ok(!page.url().includes("evidence="), "the address follows");
    assert.deepEqual(complaints, []);
    await close();
  });

  test("servers that are not judged are named, as the API has them", async () => {
    const { servers } = await ask(url, "/api/v1/judged");
    const { page, complaints, close } = await openPage(browser, url);
    await page.locator(".verdict").first().waitFor();
    const named = servers.filter((one) => one.reason !== "no-peer-group").slice(0, 20);
    await eventually(async () => (await page.locator(".not-judged li").count()) === named.length);
    for (const { node, text } of named) {
      const row = page.locator(".not-judged li").filter({ hasText: names.displayName(node) });
      assert.ok((await row.first().textContent()).includes(text), text);
    }
    assert.equal(await page.locator(".status-good").count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("an alert's link opens the latest evidence", async () => {
    const { node, cause } = await worstVerdict(url, expected);
    const query = `/?node=${encodeURIComponent(node)}&cause=${cause}&evidence=1`;
    const { page, complaints, close } = await openPage(browser, url, query);
    await page.locator("dialog.evidence .figures").waitFor();
    assert.ok((await page.locator("dialog.evidence h2").textContent()).includes(cause));
    assert.deepEqual(complaints, []);
    await close();
  });

  test("toggles change what is drawn, and the address", async () => {
    const { page, complaints, close } = await openPage(browser, url);
    const picture = () => page.evaluate(() => document.querySelector(".stage canvas").toDataURL());
    await page.locator(".scale-ramp").waitFor();
    for (const [name, layer] of [
      ["Names", "names"],
      ["2 hours", "heat"],
    ]) {
      const chip = page.getByRole("button", { name, exact: true });
      const before = await picture();
      await chip.click();
      await eventually(async () => (await chip.getAttribute("aria-pressed")) === "false");
      assert.ok(decodeURIComponent(page.url()).includes(layer));
      await eventually(async () => (await picture()) !== before);
    }
    await page.locator(".display select").selectOption("net_in");
    assert.match(page.url(), /colour=net_in/);
    const light = await picture();
    await page.getByRole("button", { name: "Dark colours" }).click();
    await eventually(async () => (await page.locator("html").getAttribute("data-theme")) === "dark");
    await eventually(async () => (await picture()) !== light);
    assert.deepEqual(complaints, []);
    await close();
  });

  test("the table of nodes holds what the map shows", async () => {
    const verdict = await worstVerdict(url, expected);
    const { nodes } = await ask(url, "/api/v1/cluster");
    const { page, complaints, close } = await openPage(browser, url, "/?view=nodes");
    await page.locator(".table tbody tr").first().waitFor();
    assert.equal(await page.locator(".table tbody tr").count(), Math.min(200, nodes.length));
    await page.locator("#search").fill(verdict.node);
    const row = page.locator(".table tbody tr").filter({ hasText: verdict.cause }).first();
    await row.waitFor();
    assert.ok((await row.textContent()).includes(names.displayName(verdict.node)));
    assert.deepEqual(complaints, []);
    await close();
  });

  test("persistent anomalies are the API's, and sort", async () => {
    const { page, complaints, close } = await openPage(browser, url);
    const told = page.waitForResponse((response) => response.url().includes("/api/v1/top"));
    await page.getByRole("button", { name: "Persistent" }).click();
    const { persistent } = await (await told).json();
    if (persistent.length > 0) {
      const column = page.locator(".table tbody tr td:nth-child(3)");
      await column.first().waitFor();
      const most = Math.max(...persistent.map((one) => one.accumulator));
      assert.ok((await column.first().textContent()).startsWith(`${most} window`));
      await page.getByRole("button", { name: /Accumulator/ }).click();
      const least = Math.min(...persistent.map((one) => one.accumulator));
      assert.ok((await column.first().textContent()).startsWith(`${least} window`));
    } else {
      await page.getByText("No component is flagged").waitFor();
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  for (const scheme of ["light", "dark"]) {
    test(`axe-core finds nothing serious (${scheme})`, async () => {
      const { node, id } = await worstVerdict(url, expected);
      const name = encodeURIComponent(node);
      for (const path of [
        "/",
        "/?legend=1",
        `/?node=${name}`,
        `/?node=${name}&evidence=${id}`,
        "/?view=nodes",
        "/?view=persistent",
      ]) {
        const { page, complaints, close } = await openPage(browser, url, path, { colorScheme: scheme });
        if (path.includes("evidence")) await page.locator(".figures").waitFor();
        await page.waitForTimeout(400);
        assert.deepEqual(await accessibilityProblems(page), [], path);
        assert.deepEqual(complaints, [], path);
        await close();
      }
    });
  }

  test("nothing is wider than the window, at 1280 × 720 and on a phone", async () => {
    const { node, id } = await worstVerdict(url, expected);
    const name = encodeURIComponent(node);
    for (const viewport of [
      { width: 1280, height: 720 },
      { width: 390, height: 844 },
    ]) {
      for (const path of [
        "/",
        `/?node=${name}`,
        `/?node=${name}&evidence=${id}`,
        "/?view=nodes",
        "/?view=persistent",
      ]) {
        const { page, close } = await openPage(browser, url, path, { viewport });
        await page.waitForTimeout(200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path} at ${viewport.width}: ${wide} pixels too wide`);
        await close();
      }
    }
  });
}
