import type { Step } from "@avow/client/operations";
import { fields } from "../../../api/fields.ts";
import { toList } from "../../../browser/format.ts";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { editorWords } from "../../../words/editor.ts";
import { schemaAt } from "../../fields/editing.ts";
import type { StepOptions } from "./offered.ts";

type Layout = Step["layout"];

/** Whether a layout is not in the project's plan. */
export function isLocked(layout: string, { plan, plans }: StepOptions): boolean {
  return plans.find(({ name }) => name === plan)?.layouts.includes(layout) === false;
}

/** The reason why a layout is locked, and the plans that include it. */
export function describeLock(layout: string, { plan, plans }: StepOptions): string {
  const { locked, unlock } = editorWords.value.steps;
  const own = plans.find(({ name }) => name === plan)?.title ?? plan;
  const others = plans.filter(({ layouts }) => layouts.includes(layout)).map(({ title }) => title);
  return [locked(own), ...(others.length > 0 ? [unlock(toList(others))] : [])].join(" ");
}

interface LayoutDialogProps extends StepOptions {
  onChoose: (layout: Layout) => void;
  onClose: () => void;
}

/** The layouts of a new step. Each reason for a lock is shown once, with all layouts it applies to. */
export function LayoutDialog({ onChoose, onClose, ...offered }: LayoutDialogProps) {
  const { addTitle, layouts, layoutHints, lockedOnes } = editorWords.value.steps;
  const all = (schemaAt(fields.cookies, "/steps/0/layout")?.enum ?? []) as Layout[];
  const locked = all.filter((layout) => isLocked(layout, offered));
  const locks = [...Map.groupBy(locked, (layout) => describeLock(layout, offered))];
  const lockOf = (layout: Layout): number => locks.findIndex(([, of]) => of.includes(layout));
  return (
    <Dialog title={addTitle} onClose={onClose}>
      <ul class="choices">
        {all.map((layout) => (
          <li key={layout}>
            <button
              type="button"
              class="choice"
              disabled={lockOf(layout) >= 0}
              aria-describedby={`layout-${layout}${lockOf(layout) < 0 ? "" : ` lock-${lockOf(layout)}`}`}
              onClick={() => onChoose(layout)}
            >
              {layouts[layout]}
            </button>
            <p class="soft" id={`layout-${layout}`}>
              {layoutHints[layout]}
            </p>
          </li>
        ))}
      </ul>
      {locks.map(([reason, of], at) => (
        <p key={reason} class="note" id={`lock-${at}`}>
          <strong>{lockedOnes(toList(of.map((layout) => layouts[layout])))}</strong> {reason}
        </p>
      ))}
    </Dialog>
  );
}
