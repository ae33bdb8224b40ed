// heat.ts: two hours of every node's degree in few cells, each the worst of its part.
import { dequantise } from "../api/scale";
import type { Heat } from "../api/types";

export const CELLS = 24; // five minutes each of two hours

/** -1: not known; otherwise the degree's stage: 0 like its peers, 1 apart, 2 flagged, 3 far away. */
export type HeatCells = Int8Array;

export const STAGES = [0.5, 1, 3] as const;

export function stage(degree: number): number {
  return STAGES.filter((limit) => degree >= limit).length;
}

export class HeatStrips {
  readonly strips = new Map<string, HeatCells>();
  end = 0;

  constructor(heat?: Heat) {
    if (!heat) return;
    this.end = heat.begin + heat.steps * heat.step_seconds;
    const stages = Array.from({ length: 256 }, (_, byte) => stage(dequantise(heat.scale, byte)));
    for (const { node, runs } of heat.nodes) {
      const cells = new Int8Array(CELLS).fill(-1);
      for (const run of runs) paint(cells, run, heat.steps, stages);
      this.strips.set(node, cells);
    }
  }
}

function paint(cells: HeatCells, run: readonly number[], steps: number, stages: readonly number[]): void {
  const [first = 0, count = 0, byte = 0] = run;
  const value = stages[byte] ?? 0;
  const from = Math.floor((first * CELLS) / steps);
  const to = Math.min(CELLS - 1, Math.floor(((first + count - 1) * CELLS) / steps));
  // A fault of one minute stays visible among four quiet ones.
  for (let cell = from; cell <= to; cell += 1) cells[cell] = Math.max(cells[cell] ?? -1, value);
}
