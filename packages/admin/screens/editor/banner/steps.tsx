import { useState } from "preact/hooks";
import type { Step } from "@avow/client/operations";
import { toPlace } from "../../../data/documents/pointer.ts";
import { Badge } from "../../../ui/parts.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { editorWords } from "../../../words/editor.ts";
import { useAt, useEditing, useMayWrite } from "../../fields/editing.ts";
import { CommentMark } from "../../fields/open-comments.tsx";
import { LayoutDialog, isLocked } from "./layouts.tsx";
import { move, useOrdering } from "./ordering.ts";
import { useRemoving } from "./removing.tsx";
import { toTitle } from "../../fields/titles.ts";
import { StepForm } from "./step-form.tsx";
import type { StepOptions } from "./offered.ts";

interface StepsProps extends StepOptions {
  /** The index of the open step. */
  open: number;
  onOpen: (at: number) => void;
}

/** The steps of a banner in order, and the form of the open one. */
export function Steps({ open, onOpen, ...offered }: StepsProps) {
  const { steps: texts } = editorWords.value;
  const { value, change, mayWrite } = useAt("/steps");
  const steps = (value ?? []) as Step[];
  const [announcement, setAnnouncement] = useState("");
  const [isAdding, setAdding] = useState(false);
  const removing = useRemoving({ list: steps, change, entries: ".step-open", onBack: onOpen });
  const onMove = (from: number, to: number): void => {
    const step = steps[from];
    if (!step || to < 0 || to >= steps.length) return;
    change(move(steps, from, to));
    removing.forget();
    onOpen(open === from ? to : open === to ? from : open);
    setAnnouncement(texts.moved(toTitle(step), to + 1, steps.length));
  };
  const current = steps[open];
  const remove = (): void => {
    if (!current) return;
    removing.remove(open, texts.removed(toTitle(current)));
    onOpen(Math.max(0, open - 1));
    setAnnouncement("");
  };
  const add = (layout: Step["layout"]): void => {
    setAdding(false);
    removing.forget();
    change([...steps, { name: newName(layout, steps), layout }]);
    onOpen(steps.length);
  };
  return (
    <div ref={removing.around} class="cards">
      <p class="hidden" role="status">
        {announcement}
      </p>
      {removing.note}
      <StepList steps={steps} open={open} onOpen={onOpen} onMove={onMove} />
      {mayWrite && (
        <button type="button" class="button small" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {texts.add}
        </button>
      )}
      {isAdding && <LayoutDialog {...offered} onChoose={add} onClose={() => setAdding(false)} />}
      {current && (
        <StepForm
          key={removing.keys[open]}
          at={toPlace("steps", open)}
          step={current}
          offered={offered}
          isLocked={isLocked(current.layout, offered)}
          onRemove={remove}
        />
      )}
    </div>
  );
}

interface StepListProps {
  steps: readonly Step[];
  open: number;
  onOpen: (at: number) => void;
  onMove: (from: number, to: number) => void;
}

function StepList({ steps, open, onOpen, onMove }: StepListProps) {
  const { steps: texts } = editorWords.value;
  const { findings, draft } = useEditing();
  const mayWrite = useMayWrite("/steps");
  const { dragged, list, toHandle } = useOrdering(onMove);
  if (steps.length === 0) return <p class="soft">{texts.empty}</p>;
  return (
    <ol {...list} class="step-list" aria-label={texts.label}>
      {steps.map((step, at) => {
        const place = `/steps/${at}`;
        const found = findings.filter(({ path }) => `${path}/`.startsWith(`${place}/`)).length;
        const isFaulty = Object.keys(draft.faults.value).some((path) =>
          `${path}/`.startsWith(`${place}/`),
        );
        return (
          <li key={at} class={dragged === at ? "dragged" : undefined}>
            {mayWrite && (
              <button
                {...toHandle(at)}
                type="button"
                class="handle"
                aria-label={texts.move(toTitle(step))}
                title={texts.moveHint}
              >
                <span aria-hidden="true">⠿</span>
              </button>
            )}
            <button
              type="button"
              class="step-open"
              aria-current={at === open ? "step" : undefined}
              onClick={() => onOpen(at)}
            >
              <span class="cut">{toTitle(step)}</span>
              <span class="soft">{texts.layouts[step.layout]}</span>
            </button>
            <CommentMark at={place} isBelow />
            {(isFaulty || found > 0) && (
              <Badge tone={isFaulty ? "bad" : "warn"}>{found || "!"}</Badge>
            )}
            {mayWrite && (
              <span class="step-moves">
                <Move
                  text={texts.up(toTitle(step))}
                  sign="↑"
                  onMove={() => onMove(at, at - 1)}
                  isOff={at === 0}
                />
                <Move
                  text={texts.down(toTitle(step))}
                  sign="↓"
                  onMove={() => onMove(at, at + 1)}
                  isOff={at === steps.length - 1}
                />
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface MoveProps {
  text: string;
  sign: string;
  onMove: () => void;
  isOff: boolean;
}

function Move({ text, sign, onMove, isOff }: MoveProps) {
  return (
    <button
      type="button"
      class="step-move"
      aria-label={text}
      // A disabled button would lose the focus at the end of the list.
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onMove();
      }}
    >
      {sign}
    </button>
  );
}

function newName(layout: string, steps: readonly Step[]): string {
  const names = new Set(steps.map(({ name }) => name));
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? layout : `${layout}-${at}`;
    if (!names.has(name)) return name;
  }
}
