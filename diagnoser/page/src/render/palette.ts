// palette.ts: the colours of the canvas, for a light and a dark page.
//
// Load is a scale of one hue that differs in lightness alone, and causes differ by a letter too, so nothing has to be
// told by hue: tests/page/unit/palette_test.ts checks contrast and lightness, also as a colour-blind eye sees them.
import type { Family } from "../text/causes";

export interface Palette {
  background: string;
  surface: string;
  border: string;
  text: string;
  muted: string;
  track: string; // the empty part of a bar
  unknown: string; // a node whose value is not known
  bar: string;
  space: string;
  arrow: string;
  focus: string;
  load: readonly string[]; // 16 steps from little to much
  heat: readonly string[]; // by stage
  family: Record<Family, string>;
  onFamily: string; // letters on a family's colour
}

export const LOAD_STEPS = 16;

type Rgb = readonly [number, number, number];

function parse(colour: string): Rgb {
  const value = parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function mix(from: Rgb, to: Rgb, part: number): string {
  const channel = (i: 0 | 1 | 2) =>
    Math.round(from[i] + (to[i] - from[i]) * part)
      .toString(16)
      .padStart(2, "0");
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

function ramp(low: string, middle: string, high: string): string[] {
  const [a, b, c] = [parse(low), parse(middle), parse(high)];
  return Array.from({ length: LOAD_STEPS }, (_, i) => {
    const part = i / (LOAD_STEPS - 1);
    return part < 0.5 ? mix(a, b, part * 2) : mix(b, c, part * 2 - 1);
  });
}

export const LIGHT: Palette = {
  background: "#f6f7f9",
  surface: "#ffffff",
  border: "#dde1e7",
  text: "#1b2430",
  muted: "#5c6773",
  track: "#e6e9ee",
  unknown: "#d5d9df",
  bar: "#5d6d7e",
  space: "#aab4bf",
  arrow: "#51606f",
  focus: "#1b2430",
  load: ramp("#dbe9f1", "#6ba6c6", "#0d4d73"),
  heat: ["#e6e9ee", "#f2cf9a", "#d9622b", "#8f1d14"],
  family: { storage: "#c8401a", network: "#7d3fa6", behaviour: "#8a6100", unknown: "#4d5966" },
  onFamily: "#ffffff",
};

export const DARK: Palette = {
  background: "#11161c",
  surface: "#1a2129",
  border: "#2b3541",
  text: "#e6ebf1",
  muted: "#97a3b0",
  track: "#2a333e",
  unknown: "#37424e",
  bar: "#a3b1bf",
  space: "#5a6978",
  arrow: "#93a2b2",
  focus: "#f2f5f8",
  load: ramp("#21384a", "#3f83a8", "#b9e3f7"),
  heat: ["#2a333e", "#7d5f2c", "#e0752f", "#ffb199"],
  family: { storage: "#ff8055", network: "#cd93ee", behaviour: "#e9b949", unknown: "#aab5c0" },
  onFamily: "#11161c",
};

/** The step of a byte between two bytes. */
export function loadStep(byte: number, low: number, high: number): number {
  const part = (byte - low) / Math.max(1, high - low);
  return Math.min(LOAD_STEPS - 1, Math.max(0, Math.floor(part * LOAD_STEPS)));
}
