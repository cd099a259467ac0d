import { signal } from "@preact/signals";
import { asProblem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { toFaultText } from "./forms/faults.tsx";

const SHOWN_MS = 6_000;
/** Longer, because a person reads it, decides and reaches for the button. */
const SHOWN_WITH_UNDO_MS = 12_000;

interface Toast {
  id: number;
  text: string;
  undo: (() => Promise<void>) | undefined;
}

const toast = signal<Toast | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a notification for a few seconds, without taking the focus. `undo` reverses the change by a request to the
 * service; it is offered only for changes that can be reversed completely.
 */
export function notify(text: string, undo?: () => Promise<void>): void {
  toast.value = { id: (toast.peek()?.id ?? 0) + 1, text, undo };
  startTimer();
}

function startTimer(): void {
  clearTimeout(timer);
  const ms = toast.peek()?.undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS;
  timer = setTimeout(() => (toast.value = undefined), ms);
}

function stopTimer(): void {
  clearTimeout(timer);
}

async function runUndo(undo: () => Promise<void>): Promise<void> {
  stopTimer();
  toast.value = undefined;
  try {
    await undo();
    notify(words.peek().app.undone);
  } catch (error) {
    notify(toFaultText(asProblem(error)));
  }
}

/**
 * The live region for notifications. It is always rendered: screen readers announce only changes of existing regions. A
 * notification stays while the pointer or the focus is on it.
 */
export function Toasts() {
  const shown = toast.value;
  const undo = shown?.undo;
  return (
    <div
      class="toasts"
      role="status"
      onMouseEnter={stopTimer}
      onMouseLeave={startTimer}
      onFocusIn={stopTimer}
      onFocusOut={startTimer}
    >
      {shown && (
        <p key={shown.id}>
          {shown.text}{" "}
          {undo && (
            <button type="button" class="link" onClick={() => void runUndo(undo)}>
              {words.value.app.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
