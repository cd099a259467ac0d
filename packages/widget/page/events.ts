/** Details of events by name. Events are dispatched on the document with the prefix `avow:`. */
export interface Events {
  /** Earlier answers are known; missing ones are asked next. */
  ready: { vendors: Readonly<Record<string, boolean>> };
  shown: { identifier: string };
  answered: { vendors: Readonly<Record<string, boolean>>; token: string };
  /** The service has saved the answer. */
  saved: { consent: Record<string, unknown> };
  /** The service is unreachable; the answer is sent later. */
  kept: undefined;
  dismissed: undefined;
  /** The answer to a consent or contract box is saved, or kept and sent later. */
  boxAnswered: { collection: "processings" | "contracts"; identifier: string; accept: boolean };
  error: { error: unknown };
}

export function emit<K extends keyof Events>(name: K, detail?: Events[K]): void {
  document.dispatchEvent(new CustomEvent(`avow:${name}`, { detail }));
}

export const emitError = (error: unknown): void => emit("error", { error });

/** Adds a listener; returns a function that removes it. */
export function on<K extends keyof Events>(
  name: K,
  listen: (detail: Events[K]) => void,
): () => void {
  const handle = (event: Event): void => listen((event as CustomEvent).detail);
  document.addEventListener(`avow:${name}`, handle);
  return () => document.removeEventListener(`avow:${name}`, handle);
}
