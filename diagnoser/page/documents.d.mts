// documents.d.mts: the types of documents.mjs, for its tests.
import type { Marked } from "marked";

export interface Heading {
  id: string;
  depth: number;
  html: string;
}
export interface Rendered {
  title: string;
  html: string;
  headings: Heading[];
}
export function escapeHtml(text: string): string;
export function pathOf(name: string): string;
export function slug(text: string): string;
export function resolveLink(href: string, known: ReadonlySet<string>): string | null;
export function renderDocument(
  library: typeof Marked,
  markdown: string,
  known: ReadonlySet<string>,
): Rendered;
export function fillTemplate(template: string, rendered: Rendered, path: string): string;
