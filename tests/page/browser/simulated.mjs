// simulated.mjs: what needs a cluster that does what the test says.
import assert from "node:assert/strict";
import test from "node:test";
import { HOSTILE } from "../mock/cluster.mjs";
import { startMock } from "../mock/server.mjs";
import { eventually, openPage } from "./page_under_test.mjs";

const spoken = (page) => page.locator(".stage [aria-live]").textContent();

export function testSimulated(browser) {
  test("hostile names are text", async () => {
    const { url, close } = await startMock({ nodes: 12, hostile: true });
    for (const path of [
      "/",
      "/?view=nodes",
      `/?node=${encodeURIComponent(HOSTILE[0])}`,
      `/?node=${encodeURIComponent(HOSTILE[1])}&evidence=1`,
    ]) {
      const { page, complaints, close: leave } = await openPage(browser, url, path);
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(() => window.hacked), undefined, path);
      assert.equal(await page.locator("img, svg[onload], #app script").count(), 0, path);
      assert.deepEqual(complaints, [], path);
      await leave();
    }
    const { page, close: leave } = await openPage(browser, url, "/?view=nodes");
    const table = page.locator(".table");
    await table.getByText(HOSTILE[0]).waitFor();
    assert.ok((await table.textContent()).includes(`${"x".repeat(120)}…`), "10,000 characters are cut");
    assert.ok(!(await table.textContent()).includes("\u202e"), "text is not turned around");
    await leave();
    close();
  });

  test("a verdict that begins is seen at once, and one that ends is not a verdict any more", async () => {
    const { url, mock, close } = await startMock({ nodes: 12 });
    const { page, complaints, close: leave } = await openPage(browser, url);
    await page.locator(".verdict-active").first().waitFor();
    const before = await page.locator(".verdict-active").count();
    const news = {
      ...mock.cluster.verdicts.at(-1),
      id: "00000000000000aa",
      node: "io07",
      begin: Date.now() / 1000 - 5,
      end: null,
    };
    mock.say(news);
    await eventually(async () => (await page.locator(".verdict-active").count()) === before + 1);
    mock.say({ ...news, end: Date.now() / 1000 });
    await eventually(async () => (await page.locator(".verdict-active").count()) === before);
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("silence is green only where servers are compared, and otherwise says why", async () => {
    const { url, mock, close } = await startMock({ nodes: 12 });
    const now = Date.now() / 1000;
    mock.cluster.verdicts = mock.cluster.verdicts.map((one) => ({ ...one, end: one.end ?? now - 1 }));
    const { page, complaints, close: leave } = await openPage(browser, url);
    const status = page.locator(".status");
    const quiet = page.locator(".quiet");
    await page.locator(".status-good").waitFor();
    assert.equal(await status.textContent(), "Nobody limps");
    for (const [reasons, text, title, shown] of [
      [{ "*": "no-answer" }, "no server is judged: 0 of 8 targets answer", "Not judged", "0 of 8 targets"],
      [{ "*": "too-early" }, "", "Not judged", /first verdict possible at \d\d:\d\d:\d\d/],
      [{ "*": "two-kinds" }, "no server is judged: peer group is in two", "Not judged", "is in two by await"],
      [{ "*": "step" }, "no server is judged: step 60 s", "Not judged", "step 60 s"],
      [{ "*": "too-few-peers" }, "no server is judged: fewer than three", "Not judged", "fewer than three"],
      [{ io02: "masked" }, "1 not: masked (io02)", /^None limps of \d+, 1 not judged$/, "not judged: masked"],
    ]) {
      mock.judge(reasons, text);
      await eventually(async () => {
        const said = await status.textContent();
        return typeof title === "string" ? said === title : title.test(said);
      });
      assert.equal(await page.locator(".status-good, .quiet-good").count(), 0, text);
      await eventually(async () => {
        const words = await quiet.textContent();
        return typeof shown === "string" ? words.includes(shown) : shown.test(words);
      });
    }
    await page.locator(".not-judged button").first().click();
    await page.locator(".standing").getByText("not judged: masked").waitFor();
    mock.judge({}, "");
    await page.locator(".status-good").waitFor();
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("a verdict's card says which device, by how much and since when", async () => {
    const { url, mock, close } = await startMock({ nodes: 12 });
    const { page, complaints, close: leave } = await openPage(browser, url);
    const worst = mock.cluster.verdicts.find((one) => one.end === null && one.secondary_to === null);
    const card = page.locator(".verdict-active").filter({ hasText: worst.cause }).first();
    await card.waitFor();
    const words = await card.textContent();
    assert.ok(words.includes(worst.reason), words);
    assert.match(words, /since \d\d:\d\d, for .* named at \d\d:\d\d/);
    assert.ok(!words.includes("degree"), words);
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("nodes enter and leave, and the others stay where they are", async () => {
    const { url, mock, close } = await startMock({ nodes: 24 });
    const { page, complaints, close: leave } = await openPage(browser, url);
    await page.locator(".scale-ramp").waitFor();
    const at = async () => {
      await page.mouse.move(140, 200);
      await page.locator(".tooltip .name").first().waitFor();
      return page.locator(".tooltip .name").first().textContent();
    };
    const who = await at();
    mock.change((cluster) => {
      cluster.nodes = cluster.nodes.filter((node) => node.node !== "io09");
      cluster.nodes.push({ ...cluster.nodes.find((node) => node.role === "server"), node: "io00-new" });
    });
    await page.waitForTimeout(1500);
    await page.mouse.move(5, 400);
    assert.equal(await at(), who);
    await page.getByRole("button", { name: "Nodes", exact: true }).click();
    await page.locator(".table").getByText("io00-new").waitFor();
    assert.equal(await page.locator(".table").getByText("io09", { exact: true }).count(), 0);
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("the keyboard reaches every node and its evidence", async () => {
    const { url, close } = await startMock({ nodes: 12 });
    const { page, complaints, close: leave } = await openPage(browser, url);
    await page.locator(".scale-ramp").waitFor();
    await page.locator(".stage canvas").focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await spoken(page), /^io01, server/);
    await page.keyboard.press("ArrowRight");
    assert.match(await spoken(page), /^io02/);
    await page.keyboard.press("n");
    assert.match(await spoken(page), /disk-hog|packet-loss|disk-busy/);
    await page.keyboard.press("Enter");
    await page.locator("dialog.evidence .figures").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog.evidence").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await eventually(() => !page.url().includes("node="));
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("scrubbing shows the verdicts of that time, and the way back to now", async () => {
    const { url, close } = await startMock({ nodes: 24 });
    const { page, complaints, close: leave } = await openPage(browser, url);
    await page.locator(".verdict-active").first().waitFor();
    // The first has just ended, the second goes on.
    const past = Math.round(Date.now() / 1000 - 4.3 * 3600);
    await page.locator(".scrub").fill(String(past));
    const causes = () => page.locator(".verdict-active .cause").allTextContents();
    await eventually(async () => (await causes()).join() === "Nnetwork-hog");
    assert.match(page.url(), new RegExp(`at=${past}`));
    await page.getByRole("button", { name: "Back to now" }).click();
    await eventually(() => !page.url().includes("at="));
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("a replay plays, pauses and goes where the slider is", async () => {
    const { url, mock, close } = await startMock({ nodes: 12, replay: true });
    const { page, complaints, close: leave } = await openPage(browser, url, "/?speed=60");
    const clock = () => page.locator(".clock strong").textContent();
    const first = await clock();
    await page.getByRole("button", { name: "Play" }).click();
    await eventually(async () => (await clock()) !== first);
    await eventually(async () => (await page.locator(".verdict-active").count()) > 0);
    await page.getByRole("button", { name: "Pause" }).click();
    const paused = await clock();
    await page.waitForTimeout(900);
    assert.equal(await clock(), paused);
    const { begin } = mock.cluster.recording;
    await page.locator(".scrub").fill(String(Math.round(begin + 1200)));
    await eventually(
      async () => (await page.locator(".verdict-active .cause").allTextContents()).join() === "Ppacket-loss",
    );
    assert.deepEqual(complaints, []);
    await leave();
    close();
  });

  test("a diagnoser that restarts is found again", async () => {
    const first = await startMock({ nodes: 12 });
    const port = Number(new URL(first.url).port);
    const { page, close: leave } = await openPage(browser, first.url);
    await page.locator(".scale-ramp").waitFor();
    first.close();
    await page.getByText("connecting").waitFor();
    const second = await startMock({ nodes: 12, port });
    await page.getByText("connecting").waitFor({ state: "detached" });
    await leave();
    second.close();
  });

  test("evidence that is no longer kept is said so", async () => {
    const { url, close } = await startMock({ nodes: 12 });
    const { page, close: leave } = await openPage(browser, url, "/?evidence=0123456789abcdef");
    await page.locator("dialog.evidence [role=alert]").waitFor();
    assert.match(await page.locator("dialog.evidence [role=alert]").textContent(), /publish\.history/);
    await leave();
    close();
  });
}
