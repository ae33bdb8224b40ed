// shelves.ts: where sections and nodes lie. Sections flow like words of a text: one that fits into a row of
// the grid takes as many columns as it has nodes, so small ones share a shelf; a larger one takes whole rows.
//
// World units: one node's place is 1 × 1. Pure: the same sections and window give the same grid.

export interface Section {
  key: string;
  slots: number;
}

export interface Block {
  key: string;
  x: number; // left edge of the first column
  y: number; // upper edge of the first row, below the title
  columns: number;
  rows: number;
}

export interface Grid {
  blocks: Map<string, Block>;
  width: number;
  height: number;
  title: number; // height of a title
  scale: number; // CSS pixels of a unit when everything is in view
}

export interface Frame {
  width: number; // CSS pixels
  height: number;
}

export const TITLE_PIXELS = 30;
const GAP = 0.35; // between sections of one shelf, in units
const MAX_SCALE = 176; // a handful of nodes does not become wallpaper

interface Shelf {
  sections: { section: Section; x: number; columns: number }[];
  rows: number;
}

function fillShelves(sections: readonly Section[], columns: number): Shelf[] {
  const shelves: Shelf[] = [];
  let open: Shelf | null = null;
  let x = 0;
  for (const section of sections) {
    const wide = Math.min(columns, Math.max(1, section.slots));
    const rows = Math.max(1, Math.ceil(section.slots / columns));
    if (!open || rows > 1 || open.rows > 1 || x + wide > columns) {
      open = { sections: [], rows };
      shelves.push(open);
      x = 0;
    }
    open.sections.push({ section, x, columns: wide });
    x += wide + GAP;
  }
  return shelves;
}

function scaleFor(shelves: readonly Shelf[], columns: number, frame: Frame): number {
  const rows = shelves.reduce((sum, shelf) => sum + shelf.rows, 0);
  // Many small groups: titles give way before nodes do.
  const titles = Math.min(shelves.length * TITLE_PIXELS, frame.height * 0.5);
  return Math.min(frame.width / columns, (frame.height - titles) / Math.max(1, rows), MAX_SCALE);
}

/** The grid whose nodes are largest when all of it is in view. */
export function layOut(sections: readonly Section[], frame: Frame): Grid {
  const total = sections.reduce((sum, section) => sum + section.slots, 0);
  let best = { columns: 1, scale: 0, shelves: fillShelves(sections, 1) };
  for (let columns = 1; columns <= Math.max(1, total); columns = nextColumns(columns)) {
    const shelves = fillShelves(sections, columns);
    const scale = scaleFor(shelves, columns, frame);
    // Of grids whose nodes are equally large the widest: rows are read more easily than columns.
    if (scale >= best.scale) best = { columns, scale, shelves };
  }
  return place(best.shelves, best.columns, Math.max(best.scale, 0.5), frame);
}

// Every number of columns would cost 10,000 layouts at 10,000 nodes; 4 % apart nobody sees.
function nextColumns(columns: number): number {
  return Math.max(columns + 1, Math.floor(columns * 1.04));
}

function place(shelves: readonly Shelf[], columns: number, scale: number, frame: Frame): Grid {
  const title = Math.min(TITLE_PIXELS, (frame.height * 0.5) / Math.max(1, shelves.length)) / scale;
  const blocks = new Map<string, Block>();
  let y = 0;
  for (const shelf of shelves) {
    y += title;
    for (const { section, x, columns: wide } of shelf.sections) {
      const rows = Math.max(1, Math.ceil(section.slots / wide));
      blocks.set(section.key, { key: section.key, x, y, columns: wide, rows });
    }
    y += shelf.rows;
  }
  return { blocks, width: columns, height: y, title, scale };
}

/** The upper left corner of a slot. */
export function slotPosition(block: Block, slot: number): { x: number; y: number } {
  return { x: block.x + (slot % block.columns), y: block.y + Math.floor(slot / block.columns) };
}
