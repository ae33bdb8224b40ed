// level.ts: how much of a node is drawn at a size on the screen.

/** From much to little: text and numbers; shapes; one coloured square; a tile without a gap. */
export type Level = "card" | "glyph" | "cell" | "tile";

export const CARD_PIXELS = 116;
export const GLYPH_PIXELS = 40;
export const CELL_PIXELS = 11;

/** `pixels`: the side of one node's place on the screen, in CSS pixels. */
export function chooseLevel(pixels: number): Level {
  if (pixels >= CARD_PIXELS) return "card";
  if (pixels >= GLYPH_PIXELS) return "glyph";
  if (pixels >= CELL_PIXELS) return "cell";
  return "tile";
}
