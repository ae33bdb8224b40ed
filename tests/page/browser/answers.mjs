// answers.mjs: the answer to an incident, and what a reader without a mouse or without eyes gets at every size.
import assert from "node:assert/strict";
import test from "node:test";
import { withPage } from "./mocked_page.mjs";
import { accessibilityProblems } from "./page_under_test.mjs";

function testAnswer(browser) {
  const path = (mock) => `/?incident=${mock.cluster.verdicts[0].id}`;

  test("an incident is answered from its page, by keyboard", () =>
    withPage(browser, { nodes: 12, open: true }, "/", async (page, mock) => {
      await page.goto(new URL(path(mock), page.url()).href);
      await page.locator(".answer-open").focus();
      await page.keyboard.press("Enter");
      await page.getByLabel("It was").selectOption("false-alarm");
      await page.getByLabel("Note").fill("a backup <b>");
      await page.keyboard.press("Enter");
      await page.getByText("answered: false-alarm by ops: a backup <b>").waitFor();
      assert.equal(await page.locator(".answer").count(), 0);
    }));

  test("a diagnoser without passwords says why it takes none", () =>
    withPage(browser, { nodes: 12, expected: /403/ }, "/", async (page, mock) => {
      await page.goto(new URL(path(mock), page.url()).href);
      await page.locator(".answer-open").click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("alert").waitFor();
      assert.match(await page.getByRole("alert").textContent(), /only with passwords/);
      assert.deepEqual(await accessibilityProblems(page), []);
    }));
}

function testSizes(browser) {
  for (const nodes of [6, 100, 1000, 10_000]) {
    test(`axe-core finds nothing serious, and the keyboard reaches a node: ${nodes} nodes`, () =>
      withPage(browser, { nodes }, "/", async (page) => {
        await page.locator(".status .dot").waitFor();
        assert.deepEqual(await accessibilityProblems(page), []);
        await page.keyboard.press("n");
        await page.keyboard.press("Enter");
        await page.locator("dialog.evidence h2").waitFor();
        await page.keyboard.press("Escape");
        await page.locator("dialog.evidence").waitFor({ state: "detached" });
      }));
  }
}

export function testAnswers(browser) {
  testAnswer(browser);
  testSizes(browser);
}
