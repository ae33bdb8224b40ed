// slots.ts: which place of its section a node has. A node that has a place keeps it for as long as it is
// there, and so do all others when it leaves; its place is given to a later node only once it has faded.
import { compareNatural } from "./natural_order";

export interface Placed {
  node: string;
  section: string; // by role and peer groups
}

export class Slots {
  private readonly sections = new Map<string, (string | null)[]>();
  private readonly places = new Map<string, { section: string; slot: number }>();

  /** Places new nodes in natural order and frees what left. A node that changed its section moves. */
  update(nodes: readonly Placed[]): void {
    const present = new Map(nodes.map((node) => [node.node, node.section]));
    for (const [name, place] of this.places) {
      if (present.get(name) === place.section) continue;
      this.places.delete(name);
      const slots = this.sections.get(place.section);
      if (slots) slots[place.slot] = null;
    }
    const arrivals = nodes.filter((node) => !this.places.has(node.node));
    arrivals.sort((a, b) => compareNatural(a.node, b.node));
    for (const arrival of arrivals) this.add(arrival);
  }

  private add({ node, section }: Placed): void {
    let slots = this.sections.get(section);
    if (!slots) {
      slots = [];
      this.sections.set(section, slots);
    }
    const free = slots.indexOf(null);
    const slot = free >= 0 ? free : slots.length;
    slots[slot] = node;
    this.places.set(node, { section, slot });
  }

  slot(node: string): number | undefined {
    return this.places.get(node)?.slot;
  }

  /** Places of a section, the free ones among them included. */
  size(section: string): number {
    return this.sections.get(section)?.length ?? 0;
  }

  names(): string[] {
    return [...this.sections.keys()];
  }
}
