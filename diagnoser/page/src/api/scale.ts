// scale.ts: what a byte of a frame stands for (Scale in docs/openapi.yaml).
import type { Scale } from "./types";

export function dequantise(scale: Scale, byte: number): number {
  switch (scale.kind) {
    case "index":
      return byte;
    case "linear":
      return scale.low + (byte / 255) * (scale.high - scale.low);
    case "log":
      return byte === 0 ? 0 : scale.low * (scale.high / scale.low) ** ((byte - 1) / 254);
  }
}

/** The byte of the first value at or above `value`, to compare bytes with a limit. */
export function quantise(scale: Scale, value: number): number {
  for (let byte = 0; byte < 255; byte += 1) if (dequantise(scale, byte) >= value) return byte;
  return 255;
}
