import type { Step } from "../../api/interface.ts";
import { fields } from "../../api/fields.ts";
import { toList } from "../../format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { editorWords } from "../../words/editor.ts";
import { schemaAt } from "./editing.ts";
import type { Offered } from "./steps.tsx";

type Layout = Step["layout"];

/** Whether a layout is not in the project's plan. */
export function isLocked(layout: string, { plan, plans }: Offered): boolean {
  return plans.find(({ name }) => name === plan)?.layouts.includes(layout) === false;
}

/** Why a layout is locked, and what opens it. */
export function LockNote({
  layout,
  offered: { plan, plans },
}: {
  layout: string;
  offered: Offered;
}) {
  const { locked, unlock } = editorWords.value.steps;
  const own = plans.find(({ name }) => name === plan)?.title ?? plan;
  const others = plans.filter(({ layouts }) => layouts.includes(layout)).map(({ title }) => title);
  return (
    <>
      {locked(own)} {others.length > 0 && unlock(toList(others))}
    </>
  );
}

interface LayoutDialogProps extends Offered {
  onChoose: (layout: Layout) => void;
  onClose: () => void;
}

/** The layouts of a new step; those that the plan does not include say why, and how they open. */
export function LayoutDialog({ onChoose, onClose, ...offered }: LayoutDialogProps) {
  const { addTitle, layouts, layoutHints } = editorWords.value.steps;
  const all = (schemaAt(fields.cookies, "/steps/0/layout")?.enum ?? []) as Layout[];
  return (
    <Dialog title={addTitle} onClose={onClose}>
      <ul class="choices">
        {all.map((layout) => (
          <li key={layout}>
            <button
              type="button"
              class="choice"
              disabled={isLocked(layout, offered)}
              aria-describedby={`layout-${layout}`}
              onClick={() => onChoose(layout)}
            >
              {layouts[layout]}
            </button>
            <p class="soft" id={`layout-${layout}`}>
              {layoutHints[layout]}{" "}
              {isLocked(layout, offered) && (
                <strong>
                  <LockNote layout={layout} offered={offered} />
                </strong>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
