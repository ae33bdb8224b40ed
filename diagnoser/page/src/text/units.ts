// units.ts: numbers for people. A missing value is "–", never 0.

const MISSING = "–";

/** At most three significant digits, without trailing zeros: 14.2, 1.8, 1230. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 0.001) return value.toExponential(1);
  if (size >= 100) return Math.round(value).toString();
  return String(Number(value.toPrecision(3)));
}

const DECIMAL = ["", "k", "M", "G", "T", "P"];

function scaled(value: number, unit: string): string {
  let rest = value;
  let step = 0;
  while (Math.abs(rest) >= 999.5 && step < DECIMAL.length - 1) {
    rest /= 1000;
    step += 1;
  }
  return `${formatNumber(rest)} ${DECIMAL[step] ?? ""}${unit}`.trim();
}

/** A count of things: "1.06k requests/s". */
function counted(value: number, unit: string): string {
  const [number = "", prefix = ""] = scaled(value, "").split(" ");
  return `${number}${prefix} ${unit}`.trim();
}

function seconds(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return `${formatNumber(value * 1e6)} µs`;
  if (size !== 0 && size < 1) return `${formatNumber(value * 1000)} ms`;
  return `${formatNumber(value)} s`;
}

// The kernel counts sectors of 512 bytes whatever the disk's own size is (iostats.rst).
const SECTOR_BYTES = 512;

/** A value in the unit that the API names, in the prefix that reads best: (14200000, "B/s") is "14.2 MB/s". */
export function formatValue(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  switch (unit) {
    case "sectors/s":
      return scaled(value * SECTOR_BYTES, "B/s");
    case "sectors":
      return scaled(value * SECTOR_BYTES, "B");
    case "B/s":
    case "B":
      return scaled(value, unit);
    case "ms":
      return seconds(value / 1000);
    case "s":
      return seconds(value);
    case "ratio":
      return `${formatNumber(value * 100)} %`;
    case "%":
      return `${formatNumber(value)} %`;
    default:
      return unit.startsWith("/") ? counted(value, unit).replace(" /", "/") : counted(value, unit);
  }
}

/** The same value in ever fewer letters, for places where it may not fit: "3.43 MB/s", "3.4 MB/s", "3 MB/s". */
export function shortForms(value: number | null | undefined, unit: string): string[] {
  const full = formatValue(value, unit);
  if (value === null || value === undefined || full === MISSING) return [full];
  const rounded = [2, 1].map((digits) => formatValue(Number(value.toPrecision(digits)), unit));
  const bare = rounded.map((text) => text.replace(" requests/s", "/s").replace(" operations/s", "/s"));
  return [...new Set([full, ...rounded, ...bare])];
}

/** "14 s", "3 min", "2 h 5 min", "4 d 3 h". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Local time of the viewer, as people say it to each other: 03:14:09. */
export function formatClock(time: number, withSeconds = true): string {
  const date = new Date(time * 1000);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return withSeconds ? `${clock}:${two(date.getSeconds())}` : clock;
}

/** The day too, for instants that may not be today's. */
export function formatInstant(time: number): string {
  const date = new Date(time * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${formatClock(time)}`;
}
