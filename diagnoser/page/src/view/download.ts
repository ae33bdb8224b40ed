// download.ts: hands what is seen to the viewer as a file.
const KEEP_MS = 60_000; // a browser may ask where to put it first

function hand(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

/** "limpet-nodes-20260131T100000Z.csv". */
export function fileName(what: string, time: number, ending: string): string {
  const stamp = new Date(time * 1000).toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "");
  return `limpet-${what}-${stamp}.${ending}`;
}

export function downloadText(text: string, name: string): void {
  hand(new Blob([text], { type: "text/csv;charset=utf-8" }), name);
}

export function downloadPicture(canvas: HTMLCanvasElement, name: string): void {
  canvas.toBlob((blob) => {
    if (blob) hand(blob, name);
  }, "image/png");
}
