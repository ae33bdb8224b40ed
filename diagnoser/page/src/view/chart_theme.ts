// chart_theme.ts: the colours of charts.
import { FONT } from "../render/draw_parts";
import { DARK, LIGHT } from "../render/palette";
import type { Theme } from "./theme";

export function readTheme(theme: Theme) {
  const dark = theme === "dark";
  const palette = dark ? DARK : LIGHT;
  return {
    font: `11px ${FONT}`,
    muted: palette.muted,
    grid: palette.track,
    own: palette.text,
    suspect: palette.family.storage,
    peers: dark ? "#7fb6d6" : "#3a7ca5",
    band: dark ? "rgba(127, 182, 214, 0.22)" : "rgba(58, 124, 165, 0.18)",
    window: dark ? "rgba(255, 128, 85, 0.09)" : "rgba(200, 64, 26, 0.06)",
  };
}
