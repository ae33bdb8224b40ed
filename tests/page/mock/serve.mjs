// serve.mjs: the mock until Ctrl-C: node serve.mjs [--nodes 24] [--port 9838] [--replay] [--hostile]
import { parseArgs } from "node:util";
import { startMock } from "./server.mjs";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "24" },
    port: { type: "string", default: "9838" },
    replay: { type: "boolean", default: false },
    hostile: { type: "boolean", default: false },
  },
});
const { url } = await startMock({
  ...values,
  nodes: Number(values.nodes),
  port: Number(values.port),
});
console.log(`a simulated cluster of ${values.nodes} nodes: ${url}`);
