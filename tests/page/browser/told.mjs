// told.mjs: what the timeline, the tables and the cards say in words.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { eventually } from "./page_under_test.mjs";

function testTimeline(browser) {
  test("the pointer on the timeline names the incident, and so does the keyboard", () =>
    withPage(browser, { nodes: 24 }, "/", async (page, mock) => {
      const ended = mock.cluster.verdicts.find((one) => one.cause === "behaviour");
      const bar = page.locator(`.bar-item[data-id="${ended.id}"]`);
      await bar.hover();
      const card = page.locator(".bar-card");
      await card.waitFor();
      assert.ok((await card.textContent()).includes(ended.node));
      assert.ok((await card.textContent()).includes("behaviour"));
      await page.mouse.move(400, 300);
      await card.waitFor({ state: "detached" });

      await page.locator(".scrub").focus();
      await page.keyboard.press("Tab");
      await card.waitFor();
      const first = await card.textContent();
      assert.match(await page.locator(".bar-item:focus").getAttribute("aria-label"), /^io\d+, /);
      await page.keyboard.press("ArrowLeft");
      await eventually(async () => (await card.textContent()) !== first);
      const node = await card.locator(".name").first().textContent();
      await page.keyboard.press("Enter");
      await page.locator("dialog.evidence .figures").waitFor();
      assert.ok((await page.locator("dialog.evidence h2").textContent()).includes(node));
    }));

  test("bars beside each other can be told apart", () =>
    withPage(browser, { nodes: 24 }, "/", async (page) => {
      const boxes = await page.locator(".bar-item rect").evaluateAll((bars) =>
        bars.map((bar) => {
          const { left, right, top, height } = bar.getBoundingClientRect();
          return { left, right, top, height, stroke: getComputedStyle(bar).stroke };
        }),
      );
      assert.ok(boxes.length >= 6);
      for (const box of boxes) {
        assert.ok(box.height >= 9, `${box.height} pixels`);
        assert.notEqual(box.stroke, "none");
      }
      const letters = await page.locator(".bars .bar-text").allTextContents();
      assert.ok(letters.some((text) => /^[A-Z]/.test(text)));
    }));
}

function testTables(browser) {
  test("hour by hour is said in words", () =>
    withPage(browser, { nodes: 12 }, "/?view=persistent", async (page) => {
      const list = page.locator(".hourly");
      await list.waitFor();
      const text = await list.textContent();
      assert.doesNotMatch(text, /\d{8}\.\d\d/);
      assert.doesNotMatch(text, /server-disks:io/);
      assert.match(text, /io\d\d\/sda/);
      assert.match(text, /\d+ windows/);
    }));

  test("an accumulator says what it counts", () =>
    withPage(browser, { nodes: 12 }, "/?view=persistent", async (page) => {
      const cell = page.locator(".table tbody tr td:nth-child(3)").first();
      await cell.waitFor();
      assert.match(await cell.textContent(), /^\d+ windows · \d+ (s|min|h)/);
    }));

  test("the kinds of disks of a group are said", () =>
    withPage(browser, { nodes: 12 }, "/", async (page) => {
      await page.getByRole("button", { name: "Legend" }).click();
      const kinds = page.locator(".kinds");
      await kinds.waitFor();
      assert.ok((await kinds.textContent()).includes("12 disks in two kinds: sda (system), sdb (data)"));
      assert.ok((await kinds.textContent()).includes("server-disks"));
    }));
}

function testVerdicts(browser) {
  test("packet loss is told by what decided", () =>
    withPage(browser, { nodes: 12 }, "/", async (page, mock) => {
      const loss = {
        ...mock.cluster.verdicts.at(-1),
        id: "00000000000000bb",
        node: "io03",
        cause: "packet-loss",
        reason: "retrans_client of io03 2.10 % against 0.00 %",
        secondary_to: null,
        end: null,
      };
      await eventually(async () => mock.streams.size > 0); // a list that is read before says nothing of it
      mock.say(loss);
      const card = page.locator(".verdict-active").filter({ hasText: "io03" }).filter({ hasText: "retrans" });
      await card.waitFor();
      assert.ok(!(await card.textContent()).includes("congestion windows"));
      assert.match(await card.textContent(), /again/);
    }));

  test("a replay opens where something limps", () =>
    withPage(browser, { nodes: 12, replay: true }, "/", async (page, mock) => {
      const first = mock.cluster.verdicts[0];
      await page.locator(".verdict-active").filter({ hasText: first.node }).waitFor({ timeout: 5000 });
      assert.match(page.url(), new RegExp(`at=${first.begin}`));
      assert.equal(await page.getByRole("button", { name: "Play" }).count(), 1);
    }));

  test("a replay without any opens at its begin, and an instant in the address stays", async () => {
    await withPage(browser, { nodes: 12, replay: true }, "/", async (page, mock) => {
      const begin = Math.round(mock.cluster.recording.begin) + 5;
      await page.goto(`${page.url().split("?")[0]}?at=${begin}`);
      await page.locator(".scale-ramp").waitFor();
      assert.match(page.url(), new RegExp(`at=${begin}`));
    });
  });
}

export function testTold(browser) {
  testTimeline(browser);
  testTables(browser);
  testVerdicts(browser);
}
