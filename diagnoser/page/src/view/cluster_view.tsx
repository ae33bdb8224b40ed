// cluster_view.tsx: all nodes at a glance, on a canvas.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BuiltNode } from "../render/scene_builder";
import { Stage } from "../render/stage";
import type { Model } from "../state/model";
import { describeNode, isSpokenWhole } from "../text/describe_node";
import { DisplayBar } from "./display_bar";
import { listenKeys, listenPointer } from "./canvas_input";
import { downloadPicture, fileName } from "./download";
import { useModel } from "./hooks";
import { Icon } from "./parts";
import type { Theme } from "./theme";
import { Tooltip, type Hovered } from "./tooltip";

function openNode(model: Model, node: BuiltNode): void {
  // The ring is the question "why?": it opens the evidence; the node stays open behind it.
  const verdict = model.marks.get(node.id)?.verdict;
  model.navigate({ node: node.id, evidence: verdict?.id ?? null, cause: null, metric: null });
}

/** Says the node in focus, and once more when readings come that a far zoom did not stream. */
class Speaker {
  private half: string | null = null;

  constructor(
    private readonly model: Model,
    private readonly say: (text: string) => void,
  ) {}

  tell(node: BuiltNode | null): void {
    this.half = node && !isSpokenWhole(this.model, node.id) ? node.id : null;
    this.say(node ? describeNode(this.model, node.id) : "");
  }

  finish(): void {
    if (this.half === null || !isSpokenWhole(this.model, this.half)) return;
    this.say(describeNode(this.model, this.half));
    this.half = null;
  }
}

function makeStage(
  canvas: HTMLCanvasElement,
  model: Model,
  said: Speaker,
  onHovered: (hovered: Hovered | null) => void,
): Stage {
  return new Stage(canvas, model, {
    onOpen: (node) => openNode(model, node),
    onHover: (node, x, y) => onHovered(node ? { node, x, y } : null),
    onFocus: (node) => said.tell(node),
    onReach: (node, x, y) => {
      onHovered({ node, x, y });
      // An open panel is of the node that the keyboard is at.
      if (model.address.node !== null) model.navigate({ node: node.id }, true);
    },
  });
}

export function ClusterView({ theme }: { theme: Theme }) {
  const model = useModel();
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [said, setSaid] = useState("");

  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const said = new Speaker(model, setSaid);
    const made = makeStage(element, model, said, setHovered);
    stage.current = made;
    const undo = [
      follow(made, model),
      model.topics.subscribe(["readings"], () => said.finish()),
      watchSize(element, made),
      listenPointer(element, made),
      listenKeys(made),
    ];
    return () => {
      for (const one of undo) one();
      made.stop();
      stage.current = null;
    };
  }, [model]);
  useEffect(() => stage.current?.setDark(theme === "dark"), [theme]);
  const looking = hovered !== null;
  useEffect(() => {
    model.look(looking);
    return () => model.look(false);
  }, [model, looking]);

  return (
    <>
      <DisplayBar theme={theme}>
        <ZoomButtons stage={stage} />
        <PictureButton canvas={canvas} />
      </DisplayBar>
      <div class="stage">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-roledescription="map of nodes"
          aria-label="All nodes, by role and peer group. Arrow keys move, Enter opens, N goes to the next verdict. The view Nodes shows the same as a table."
        />
        <p class="visually-hidden" aria-live="polite">
          {said}
        </p>
        {hovered && <Tooltip hovered={hovered} />}
      </div>
    </>
  );
}

function PictureButton({ canvas }: { canvas: { current: HTMLCanvasElement | null } }) {
  const model = useModel();
  return (
    <button
      type="button"
      class="button picture"
      aria-label="Download the map as PNG"
      onClick={() => canvas.current && downloadPicture(canvas.current, fileName("map", model.time, "png"))}
    >
      PNG
    </button>
  );
}

function ZoomButtons({ stage }: { stage: { current: Stage | null } }) {
  return (
    <div class="zoom" role="group" aria-label="Zoom">
      <button
        type="button"
        class="button icon-button"
        aria-label="Zoom in"
        onClick={() => stage.current?.zoomBy(1.5)}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        class="button icon-button"
        aria-label="Zoom out"
        onClick={() => stage.current?.zoomBy(1 / 1.5)}
      >
        <Icon name="minus" />
      </button>
      <button
        type="button"
        class="button icon-button"
        aria-label="Show all nodes"
        onClick={() => stage.current?.showAll()}
      >
        <Icon name="fit" />
      </button>
    </div>
  );
}

function follow(stage: Stage, model: Model): () => void {
  const { topics } = model;
  const undo = [
    topics.subscribe(["cluster"], () => stage.refresh("all")),
    topics.subscribe(["verdicts", "address"], () => stage.refresh("marks")),
    topics.subscribe(["heat"], () => stage.refresh("heat")),
    topics.subscribe(["readings"], () => stage.refresh("readings")),
  ];
  stage.refresh("all");
  return () => {
    for (const one of undo) one();
  };
}

function watchSize(canvas: HTMLCanvasElement, stage: Stage): () => void {
  const measure = () => {
    const box = canvas.parentElement?.getBoundingClientRect();
    // Twice the pixels are four times the work; beyond that nobody sees a difference.
    if (box) stage.resize(box.width, box.height, Math.min(2, window.devicePixelRatio));
  };
  const observer = new ResizeObserver(measure);
  if (canvas.parentElement) observer.observe(canvas.parentElement);
  measure();
  return () => observer.disconnect();
}
