// topics.ts: who wants to hear that something has changed. Views subscribe to what they show, so that a frame twice a
// second renders none of the views that do not show it.

export type Topic = "cluster" | "verdicts" | "heat" | "judged" | "readings" | "address" | "connection";

export class Topics {
  private readonly listeners = new Map<Topic, Set<() => void>>();

  subscribe(topics: readonly Topic[], listener: () => void): () => void {
    for (const topic of topics) {
      const known = this.listeners.get(topic);
      if (known) known.add(listener);
      else this.listeners.set(topic, new Set([listener]));
    }
    return () => {
      for (const topic of topics) this.listeners.get(topic)?.delete(listener);
    };
  }

  publish(topic: Topic): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener();
  }
}
