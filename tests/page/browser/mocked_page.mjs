// mocked_page.mjs: a page of a simulated diagnoser, for one test.
import assert from "node:assert/strict";
import { startMock } from "../mock/server.mjs";
import { openPage } from "./page_under_test.mjs";

/**
 * Opens `path` of a simulated diagnoser, lets `act(page, mock)` work with it, and takes both down. Fails when the page
 * has complained. options: those of startMock; `context`, of openPage; `expected`, a pattern of complaints that belong.
 */
export async function withPage(browser, { context, expected, ...options }, path, act) {
  const { url, mock, close } = await startMock(options);
  const { page, complaints, close: leave } = await openPage(browser, url, path, context);
  try {
    await act(page, mock);
    assert.deepEqual(
      complaints.filter((text) => !expected?.test(text)),
      [],
    );
  } finally {
    await leave();
    close();
  }
}
