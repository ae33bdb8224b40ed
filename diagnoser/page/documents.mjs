// documents.mjs: docs/*.md as pages of the program: headings with the anchors that alerts link to, links between
// documents, a table of contents. Pure: texts in, HTML out; the Markdown library comes from the caller.

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]);

/** The path of a document: playbooks.md is what alerts link to. */
export function pathOf(name) {
  const stem = name.replace(/\.md$/, "");
  if (stem === "playbooks") return "/playbooks";
  return stem === "README" ? "/docs" : `/docs/${stem}`;
}

/** As GitHub makes them, so that one anchor works in both places. */
export function slug(text) {
  return text
    .toLowerCase()
    .replace(/<[^>]*>/g, "")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Where a link goes within the program; null when what it names is not part of it. */
export function resolveLink(href, known) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [, file = "", anchor = ""] = /^(?:\.\/)?([^#]*)(#.*)?$/.exec(href) ?? [];
  return known.has(file) ? pathOf(file) + anchor : null;
}

function makeRenderer(known, headings) {
  const used = new Map();
  return {
    heading({ tokens, depth, text }) {
      const plain = slug(text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, ""));
      const count = used.get(plain) ?? 0;
      used.set(plain, count + 1);
      const id = count === 0 ? plain : `${plain}-${count}`;
      const html = this.parser.parseInline(tokens);
      headings.push({ id, depth, html: html.replace(/<a [^>]*>|<\/a>/g, "") });
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html.replace(/<a [^>]*>|<\/a>/g, "")}</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const to = resolveLink(href, known);
      return to === null
        ? `<span class="elsewhere" title="in the source: ${escapeHtml(href)}">${inner}</span>`
        : `<a href="${escapeHtml(to)}">${inner}</a>`;
    },
    // Pictures are not part of the program; what they show is said.
    image({ text }) {
      return text ? `<span class="picture">[picture: ${escapeHtml(text)}]</span>` : "";
    },
    html({ text }) {
      return escapeHtml(text);
    },
    table(token) {
      const cells = (row, tag) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
      const head = `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', "</th>")}</tr></thead>`;
      const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      // A wide table scrolls by itself, also by keyboard.
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table">\n<table>${head}<tbody>${body}</tbody></table></div>\n`;
    },
  };
}

/** One document: its title, its text as HTML and its headings. `known`: the names of all documents. */
export function renderDocument(Marked, markdown, known) {
  const headings = [];
  const marked = new Marked({ gfm: true });
  marked.use({ renderer: makeRenderer(known, headings) });
  const html = marked.parse(markdown);
  const title = (headings.find(({ depth }) => depth === 1)?.html ?? "Limpet").replace(/<[^>]*>/g, "");
  return { title, html, headings };
}

function contents(headings) {
  return headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ id, depth, html }) => `<li class="depth-${depth}"><a href="#${id}">${html}</a></li>`)
    .join("\n");
}

/** `template`: with {title}, {contents}, {text} and the paths of the assets already in place. */
export function fillTemplate(template, { title, html, headings }, path) {
  const here = template.replaceAll(`href="${path}"`, `href="${path}" aria-current="page"`);
  const parts = { title, contents: contents(headings), text: html };
  return here.replace(/\{(title|contents|text)\}/g, (_, key) => parts[key]);
}
