// scenarios.mjs: screenshots of the two scenarios of [Leung07] that the lab has recorded: node scenarios.mjs FOLDER
// LIMPET_BIN: the programs; LIMPET_RECORDINGS: the folder of the recordings.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startCamera } from "./browser/shoot.mjs";

const [folder = "pictures"] = process.argv.slice(2);
const { LIMPET_BIN: programs, LIMPET_RECORDINGS: recordings } = process.env;
mkdirSync(folder, { recursive: true });

/** The page over a recording; `use` is given its address and what scenario.json says. */
async function replay(name, use) {
  const from = join(recordings, name);
  const files = readdirSync(from, { recursive: true }).filter((file) => file.endsWith(".zst"));
  const program = spawn(join(programs, "limpet-diagnoser"), [
    "replay",
    "--ui",
    "--web.listen-address",
    "127.0.0.1:0",
    "--config",
    join(recordings, "scenarios.yml"),
    ...files.map((file) => join(from, file)),
  ]);
  try {
    const url = await new Promise((resolve, reject) => {
      let said = "";
      program.stderr.on("data", (text) => {
        said += text;
        const found = /the replay is at (http:\/\/127\.0\.0\.1:\d+)\//.exec(said);
        if (found) resolve(found[1]);
      });
      program.on("exit", () => reject(new Error(`limpet-diagnoser ended: ${said}`)));
    });
    await use(url, JSON.parse(readFileSync(join(from, "scenario.json"), "utf8")));
  } finally {
    program.removeAllListeners("exit");
    program.kill();
  }
}

const { shoot, close } = await startCamera(folder);

await replay("metadata-crowd", async (url, { change, end }) => {
  const at = (time) => Math.round(time);
  const busiest = await mostMetadata(url, change, end);
  const mix = "[data-activity=mix]";
  const open = { ready: mix, act: (page) => page.locator(mix).scrollIntoViewIfNeeded() };
  await shoot(
    "scenario-metadata",
    `${url}/?colour=metadata&hide=disk&node=${busiest}&at=${at(end - 6)}`,
    open,
  );
});

await replay("small-writes", async (url, { end }) => {
  const open = { ready: "[data-activity=writes] canvas", height: 1000 };
  await shoot(
    "scenario-small-writes",
    `${url}/?colour=small_writes&node=io02&at=${Math.round(end - 4)}`,
    open,
  );
});

/** The server that has the most metadata operations after the change. */
async function mostMetadata(url, from, to) {
  const { nodes } = await (await fetch(`${url}/api/v1/cluster`)).json();
  const often = await Promise.all(
    nodes.map(async ({ node }) => {
      const query = `node=${encodeURIComponent(node)}&from=${from}&to=${to}`;
      const { history } = await (await fetch(`${url}/api/v1/activity?${query}`)).json();
      return { node, sum: history.metadata.reduce((sum, one) => sum + (one ?? 0), 0) };
    }),
  );
  return often.sort((a, b) => b.sum - a.sum)[0].node;
}

await close();
process.exit(0);
