// random.mjs: numbers that are the same in every run.

/** 0 to 1 from a text: the same text, the same number. */
export function hash(text) {
  let state = 2166136261;
  for (let i = 0; i < text.length; i += 1) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  state = Math.imul(state ^ (state >>> 15), 2246822507);
  state = Math.imul(state ^ (state >>> 13), 3266489909);
  return ((state ^ (state >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise, -1 to 1, of a series with a name at an instant. */
export function wave(name, time) {
  const phase = hash(name) * 6.283;
  return (
    0.6 * Math.sin(time / 17 + phase) +
    0.3 * Math.sin(time / 5.3 + phase * 3) +
    0.1 * (2 * hash(`${name}${Math.floor(time)}`) - 1)
  );
}
