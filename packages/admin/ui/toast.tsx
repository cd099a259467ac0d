import { signal } from "@preact/signals";

const SHOWN_MS = 6_000;

const toast = signal<{ id: number; text: string } | undefined>(undefined);

/** Shows a notification for a few seconds, without taking the focus. */
export function notify(text: string): void {
  const id = (toast.peek()?.id ?? 0) + 1;
  toast.value = { id, text };
  setTimeout(() => {
    if (toast.peek()?.id === id) toast.value = undefined;
  }, SHOWN_MS);
}

/** The live region for notifications. It is always rendered: screen readers announce only changes of existing regions. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toast.value && <p key={toast.value.id}>{toast.value.text}</p>}
    </div>
  );
}
