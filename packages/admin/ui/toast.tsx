import { signal } from "@preact/signals";

const SHOWN_MS = 6_000;

const told = signal<{ id: number; text: string } | undefined>(undefined);

/** Tells that something was done, for a few seconds, without taking the focus. */
export function tell(text: string): void {
  const id = (told.peek()?.id ?? 0) + 1;
  told.value = { id, text };
  setTimeout(() => {
    if (told.peek()?.id === id) told.value = undefined;
  }, SHOWN_MS);
}

/** Where `tell` is heard: there from the start, since readers of the page announce what changes in it. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {told.value && <p key={told.value.id}>{told.value.text}</p>}
    </div>
  );
}
