// presence.ts: nodes that enter appear, nodes that leave fade; how visible each is at an instant.

export const FADE_MS = 900;

export class Presence {
  private readonly since = new Map<string, { present: boolean; at: number }>();

  /** The nodes there are now; returns whether something has begun to appear or fade. */
  update(nodes: Iterable<string>, now: number, atOnce = false): boolean {
    const present = new Set(nodes);
    let changed = false;
    for (const node of present) {
      if (this.since.get(node)?.present) continue;
      this.since.set(node, { present: true, at: atOnce ? now - FADE_MS : now });
      changed = true;
    }
    for (const [node, state] of this.since) {
      if (!state.present || present.has(node)) continue;
      this.since.set(node, { present: false, at: now });
      changed = true;
    }
    return changed;
  }

  /** 0 (gone) to 1 (there). */
  opacity(node: string, now: number): number {
    const state = this.since.get(node);
    if (!state) return 0;
    const part = Math.min(1, Math.max(0, (now - state.at) / FADE_MS));
    return state.present ? part : 1 - part;
  }

  /** Nodes that are no longer there but still seen; forgets the ones that have faded. */
  fading(now: number): string[] {
    const fading: string[] = [];
    for (const [node, state] of this.since) {
      if (state.present) continue;
      if (now - state.at >= FADE_MS) this.since.delete(node);
      else fading.push(node);
    }
    return fading;
  }

  settled(now: number): boolean {
    for (const state of this.since.values()) if (now - state.at < FADE_MS) return false;
    return true;
  }
}
