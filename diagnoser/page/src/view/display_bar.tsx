// display_bar.tsx: what the nodes' colour shows, with its scale, and which signs are drawn.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { dequantise } from "../api/scale";
import type { ColumnName } from "../api/types";
import { observe, type Domain } from "../render/domain";
import { DARK, LIGHT } from "../render/palette";
import { COLOURS, LAYERS, type Layer } from "../state/url";
import { formatValue } from "../text/units";
import { useModel } from "./hooks";
import type { Theme } from "./theme";

const COLOUR_NAMES: Partial<Record<ColumnName, string>> = {
  load: "Disk requests",
  cpu: "CPU",
  system_load: "System load",
  util: "Disk busy",
  space: "Space used",
  disk_read: "Disk reads",
  disk_write: "Disk writes",
  net_in: "Network in",
  net_out: "Network out",
  metadata: "Metadata",
  small_writes: "Small writes",
  large_writes: "Large writes",
  degree: "Degree",
};
const LAYER_NAMES: Record<Layer, string> = {
  network: "Network",
  disk: "Disk",
  heat: "2 hours",
  names: "Names",
};

export function DisplayBar({ theme, children }: { theme: Theme; children: ComponentChildren }) {
  const model = useModel("address", "cluster");
  const { colour, hidden } = model.address;
  const toggle = (layer: Layer) =>
    model.navigate(
      { hidden: hidden.includes(layer) ? hidden.filter((one) => one !== layer) : [...hidden, layer] },
      true,
    );
  return (
    <div class="display" role="group" aria-label="Display">
      <label class="display-colour">
        <span class="muted">Colour</span>
        <select
          class="select"
          value={colour}
          onChange={(event) => model.navigate({ colour: event.currentTarget.value as ColumnName }, true)}
        >
          {COLOURS.map((name) => (
            <option key={name} value={name}>
              {COLOUR_NAMES[name] ?? name}
            </option>
          ))}
        </select>
      </label>
      <ColourScale theme={theme} />
      <PastText />
      <span class="spacer" />
      <div class="chips" role="group" aria-label="Signs">
        {LAYERS.map((layer) => (
          <button
            type="button"
            key={layer}
            class="chip"
            aria-pressed={!hidden.includes(layer)}
            onClick={() => toggle(layer)}
          >
            {LAYER_NAMES[layer]}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}

function ColourScale({ theme }: { theme: Theme }) {
  const model = useModel("readings", "address");
  const kept = useRef<{ colour: ColumnName; domain: Domain } | null>(null);
  const { colour } = model.address;
  if (model.goneBack && !model.readingsFit) return null;
  const column = model.readings.column(colour);
  const bytes = model.readings.bytes(colour);
  if (!column || !bytes) return null;
  const before = kept.current?.colour === colour ? kept.current.domain : null;
  const domain = observe(bytes, before, model.readings.partial);
  if (!domain) return <span class="muted">not known</span>;
  kept.current = { colour, domain };
  const steps = (theme === "dark" ? DARK : LIGHT).load;
  const text = (byte: number) => formatValue(dequantise(column.scale, Math.round(byte)), column.unit);
  return (
    <span class="scale" title={column.text}>
      <span>{text(domain.low)}</span>
      <svg class="scale-ramp" viewBox={`0 0 ${steps.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {steps.map((fill, i) => (
          <rect key={fill} x={i} y={0} width={1.05} height={1} fill={fill} />
        ))}
      </svg>
      <span>{text(domain.high)}</span>
    </span>
  );
}

/** Of which time the shades are, when not of now, or why nodes are grey. */
function PastText() {
  const model = useModel("readings", "address");
  return (
    <span class="muted" aria-live="polite">
      {model.pastText}
    </span>
  );
}
