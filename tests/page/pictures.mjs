// pictures.mjs: screenshots for README and docs/live-page.md: node pictures.mjs FOLDER [URL of a diagnoser]
// LIMPET_ALL_PICTURES=1: of everything, to look at.
import { mkdirSync } from "node:fs";
import { startCamera } from "./browser/shoot.mjs";
import { startMock } from "./mock/server.mjs";

const [folder = "pictures", given] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { shoot, close } = await startCamera(folder);

async function evidenceAddress(url) {
  const { verdicts } = await (await fetch(`${url}/api/v1/verdicts?from=0`)).json();
  const worst =
    verdicts.filter((one) => one.end === null).sort((a, b) => a.rank - b.rank)[0] ?? verdicts.at(-1);
  return `${url}/?node=${encodeURIComponent(worst.node)}&evidence=${worst.id}`;
}

/** A page above several diagnosers, of which the second has vanished; each has a part of the nodes. */
async function startFederated(names) {
  const marks = [{ mark: "down", text: "has not answered for 12 s: connection refused" }];
  const said = { program: "0.1.0", nodes: 16, answered: 1, clock_ahead_seconds: 0 };
  const members = names.map((member, i) => ({
    ...said,
    member,
    url: `http://${member}:9837`,
    marks: i === 1 ? marks : [],
  }));
  const federated = await startMock({ nodes: 16 * names.length, members });
  const { cluster } = federated.mock;
  for (const [i, node] of cluster.nodes.entries()) {
    const before = node.node;
    node.node = `${names[i % names.length]}/${before}`;
    node.labels.diagnoser = names[i % names.length];
    if (node.labels.diagnoser === names[1]) node.up = false;
    for (const verdict of cluster.verdicts) if (verdict.node === before) verdict.node = node.node;
  }
  return federated;
}

async function shootSimulated() {
  const small = await startMock({ nodes: 48 });
  const replay = await startMock({ nodes: 24, replay: true });
  const { begin } = replay.mock.cluster.recording;
  const evidence = await evidenceAddress(small.url);
  await shoot("live-overview", small.url);
  await shoot("live-evidence", evidence, { ready: ".evidence .figures" });
  await shoot("live-replay", `${replay.url}/?at=${Math.round(begin + 650)}&speed=20`, { ready: ".player" });
  // Small ones for the table of docs/live-page.md.
  const little = { width: 1000, height: 560, scale: 0.8 };
  await shoot("live-servers", `${small.url}/?view=servers`, {
    ...little,
    ready: ".page-view select",
    act: (page) => page.locator(".page-view select").first().selectOption({ index: 1 }),
  });
  await shoot("live-one", small.url, {
    ...little,
    act: async (page) => {
      await page.keyboard.press("n");
      await page.keyboard.press("z");
    },
  });
  await shoot("live-mix", `${small.url}/?view=servers`, {
    ...little,
    ready: ".page-view select",
    act: (page) => page.getByLabel("Kind").selectOption("metadata"),
  });
  await shoot("live-filters", `${small.url}/?q=${encodeURIComponent("rack=r2")}&only=1`, little);
  await shoot("live-zoom", (await startMock({ nodes: 1000 })).url, little);
  await shoot("live-federation", (await startFederated(["north", "south", "west"])).url, {
    ...little,
    ready: ".member",
  });
  if (!process.env.LIMPET_ALL_PICTURES) return;
  // What else has to be looked at after a change.
  const node = small.mock.cluster.verdicts.at(-2).node;
  const phone = { width: 390, height: 844, scale: 2 };
  await shoot("live-dark", small.url, { scheme: "dark" });
  await shoot("live-evidence-dark", evidence, { ready: ".evidence .figures", scheme: "dark" });
  await shoot("live-node", `${small.url}/?node=${node}`, { ready: ".component .chart canvas" });
  await shoot("live-nodes", `${small.url}/?view=nodes`, { ready: ".table" });
  await shoot("live-persistent", `${small.url}/?view=persistent`, { ready: ".table" });
  await shoot("live-legend", `${small.url}/?legend=1`);
  await shoot("live-phone", small.url, phone);
  await shoot("live-phone-evidence", evidence, { ...phone, ready: ".evidence .figures" });
  await shoot("live-few", (await startMock({ nodes: 8 })).url);
  await shoot("live-hostile", (await startMock({ nodes: 12, hostile: true })).url);
  await shoot("live-1000", (await startMock({ nodes: 1000 })).url);
  await shoot("live-10000", (await startMock({ nodes: 10_000 })).url, { scheme: "dark" });
}

if (given) {
  await shoot("live-overview", given);
  await shoot("live-evidence", await evidenceAddress(given), { ready: ".evidence .figures" });
} else {
  await shootSimulated();
}
await close();
process.exit(0);
