// run.mjs: the page in Debian's Chromium.
//
//   node run.mjs                     against the simulated cluster
//   node run.mjs URL [NODE CAUSE]    against a diagnoser that runs, with a fault of that cause injected on NODE
import { after } from "node:test";
import { startMock } from "../mock/server.mjs";
import { testAnswers } from "./answers.mjs";
import { testAnyCluster } from "./any_cluster.mjs";
import { startBrowser } from "./chromium.mjs";
import { testDocuments } from "./documents.mjs";
import { testDrawn } from "./drawn.mjs";
import { testFederation } from "./federation.mjs";
import { testIncidents } from "./incidents.mjs";
import { testMap } from "./map.mjs";
import { testPastAndColumns } from "./past.mjs";
import { testSimulated } from "./simulated.mjs";
import { testTold } from "./told.mjs";
import { testViews } from "./views.mjs";

const [given, node, cause] = process.argv.slice(2);
const browser = await startBrowser();
const mock = given ? null : await startMock({ nodes: 48 });
after(async () => {
  await browser.close();
  mock?.close();
});
testAnyCluster(browser, (given ?? mock.url).replace(/\/$/, ""), node ? { node, cause } : undefined);
if (!given) {
  testSimulated(browser);
  testMap(browser);
  testDrawn(browser);
  testPastAndColumns(browser);
  testTold(browser);
  testDocuments(browser);
  testViews(browser);
  testAnswers(browser);
  testFederation(browser);
  testIncidents(browser);
}
