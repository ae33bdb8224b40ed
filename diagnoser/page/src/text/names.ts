// names.ts: names come from other machines. They are only ever shown as text, and what would turn the text around
// them (marks for right-to-left, line ends, other controls) is shown as a replacement character.

const MAX_SHOWN = 120;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** A name as it may stand within other text: on one line and of bounded length. */
export function displayName(name: string): string {
  // Cut first: a name may be 10,000 characters long and on the screen a thousand times.
  const cut = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
  return cut.replace(CONTROLS, "\ufffd");
}

/** The node that a component is of: "io04/sda", of a federation "north/io04/sda". */
export function nodeOfComponent(component: string, known: { has(name: string): boolean }): string {
  for (let slash = component.indexOf("/"); slash >= 0; slash = component.indexOf("/", slash + 1)) {
    const name = component.slice(0, slash);
    if (known.has(name)) return name;
  }
  return known.has(component) ? component : (component.split("/")[0] ?? "");
}
