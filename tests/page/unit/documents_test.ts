import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { Marked } from "marked";
import {
  fillTemplate,
  pathOf,
  renderDocument,
  resolveLink,
  slug,
} from "../../../diagnoser/page/documents.mjs";

const known = new Set(["playbooks.md", "how-it-decides.md", "README.md"]);
const render = (text: string) => renderDocument(Marked, text, known);

test("anchors are those that alerts and GitHub use", () => {
  assert.equal(slug("LimpetServerIndicted"), "limpetserverindicted");
  assert.equal(slug("What to do about a cause"), "what-to-do-about-a-cause");
  assert.equal(slug("Inside the kernel: block & `syscall`"), "inside-the-kernel-block--syscall");
  const { html } = render("## Two\n\n## Two\n\n### `A_b` [c](x.md)\n");
  assert.match(html, /id="two".*id="two-1".*id="a_b-c"/s);
});

test("text is no markup", () => {
  const { html, title } = render('# A <script>x</script>\n\n<img src=x onerror=y>\n\n`<b>` & "q"\n');
  assert.ok(!/<script|<img|<b>/.test(html), html);
  assert.ok(!title.includes("<"));
});

test("links lead to what is in the program, and say where the rest is", () => {
  assert.equal(resolveLink("how-it-decides.md#facts", known), "/docs/how-it-decides#facts");
  assert.equal(resolveLink("playbooks.md", known), "/playbooks");
  assert.equal(resolveLink("./README.md", known), "/docs");
  assert.equal(resolveLink("#here", known), "#here");
  assert.equal(resolveLink("decisions/0001-x.md", known), null);
  assert.equal(resolveLink("../config/x.yml", known), null);
  const { html } = render("[a](decisions/0001-x.md) ![alt](images/x.png) [b](https://example.org/?a=1&b=2)");
  assert.match(html, /<span class="elsewhere" title="in the source: decisions\/0001-x.md">a<\/span>/);
  assert.match(html, /\[picture: alt\]/);
  assert.match(html, /href="https:\/\/example.org\/\?a=1&amp;b=2"/);
});

test("the template holds title, contents and text", () => {
  const rendered = render("# T & co\n\n## One\n\n### Two $& x\n");
  const page = fillTemplate(
    '<title>{title}</title><a href="/playbooks">{contents}|{text}',
    rendered,
    "/playbooks",
  );
  assert.match(page, /<title>T &amp; co<\/title><a href="\/playbooks" aria-current="page">/);
  assert.match(page, /href="#one".*href="#two--x".*\|<h1/s);
});

const folder = "docs";
const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
const all = new Map(
  names.map((name) => [
    pathOf(name),
    renderDocument(Marked, readFileSync(join(folder, name), "utf8"), new Set(names)),
  ]),
);

test("every link between documents arrives", () => {
  const broken: string[] = [];
  for (const [path, { html }] of all) {
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) {
      if (/^(https?:|mailto:)/.test(href)) continue;
      const [to = "", anchor] = href.split("#");
      const target = all.get(to || path);
      if (!target || (anchor && !target.headings.some(({ id }) => id === anchor)))
        broken.push(`${path}: ${href}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("no Markdown is left in the text", () => {
  for (const [path, { html }] of all) {
    const text = html.replace(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, "");
    assert.equal(/^\s*#{1,4} |^\|.*\|$|\]\(/m.exec(text)?.[0], undefined, path);
  }
});
