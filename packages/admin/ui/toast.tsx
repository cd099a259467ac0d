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

/** Where `notify` is heard: there from the start, since readers of the page announce what changes in it. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toast.value && <p key={toast.value.id}>{toast.value.text}</p>}
    </div>
  );
}
