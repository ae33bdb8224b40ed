// hooks.ts: how components follow the model and the browser.
import { createContext } from "preact";
import { useContext, useEffect, useReducer, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import type { Model } from "../state/model";
import type { Topic } from "../state/topics";

export const ModelContext = createContext<Model | null>(null);

/** The model; the component renders again when one of the topics is published. */
export function useModel(...topics: Topic[]): Model {
  const model = useContext(ModelContext);
  if (!model) throw new Error("no model");
  const [, render] = useReducer<number, undefined>((count) => count + 1, 0);
  const key = topics.join();
  useEffect(
    () => model.topics.subscribe(key ? (key.split(",") as Topic[]) : [], () => render(undefined)),
    [model, key],
  );
  return model;
}

export interface Answer<T> {
  value: T | null;
  error: string | null;
  loading: boolean;
}

/** Asks when `key` changes and gives up an answer that nobody waits for any more; keeps the last value meanwhile. */
export function useAnswer<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { key: string | null }>({
    value: null,
    error: null,
    loading: false,
    key: null,
  });
  useEffect(() => {
    if (key === null) return undefined;
    const controller = new AbortController();
    setAnswer((before) => ({ ...before, loading: true }));
    ask(controller.signal).then(
      (value) => setAnswer({ value, error: null, loading: false, key }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const message = error instanceof ApiError ? error.message : String(error);
        setAnswer({ value: null, error: message, loading: false, key });
      },
    );
    return () => controller.abort();
    // `ask` is a new function at every render; the key says when its question changes.
  }, [key]);
  return answer;
}

/** Counts up every `ms` while the page is seen. */
export function useTick(ms: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setCount((before) => before + 1);
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
  return count;
}
