// The next step of each cause, from the table that docs/playbooks.md has of the diagnoser's causes.
import { readFileSync } from 'node:fs';

const PLAYBOOKS = new URL('../../docs/playbooks.md', import.meta.url);

export function nextSteps(): [cause: string, step: string][] {
  const [, entry = ''] = readFileSync(PLAYBOOKS, 'utf8').split('### What to do about a cause');
  const [table = ''] = entry.split('\n###');
  const rows = [...table.matchAll(/^\| `([a-z-]+)` \|.*\| (.*) \|$/gm)];
  if (rows.length === 0) {
    throw new Error('docs/playbooks.md: expected a table of causes under "What to do about a cause"');
  }
  return rows.map(([, cause = '', step = '']) => [cause, step]);
}

// The expression with a label `next_step` by its label `cause`.
export function withNextStep(expr: string): string {
  return nextSteps().reduce(
    (inner, [cause, step]) => `label_replace(${inner}, "next_step", "${step.replaceAll(/["\\$]/g, '')}", "cause", "${cause}")`,
    expr,
  );
}
