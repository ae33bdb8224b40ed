// Writes every dashboard into the folder given: npm run build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparison } from './comparison.js';
import { limpet } from './limpet.js';
import { overview } from './overview.js';
import { persistence } from './persistence.js';
import { server } from './server.js';
import { storage } from './storage.js';

const folder = process.argv[2] ?? 'dashboards';
for (const made of [overview(), comparison(), server(), persistence(), storage(), limpet()]) {
  const board = made.build();
  const name = (board.uid ?? '').replace(/^limpet-/, '');
  // The builder gives no ids; Grafana would at import, and differently each time.
  const panels = (board.panels ?? []).flatMap((panel) => [panel, ...((panel as { panels?: object[] }).panels ?? [])]);
  panels.forEach((panel, i) => {
    (panel as { id?: number }).id = i + 1;
  });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(board, null, 2)}\n`);
}
