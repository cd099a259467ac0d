/** What happens, by the name of its event: `avow:answered` on the document. */
export interface Events {
  /** What was answered before is known, and what is missing is about to be asked. */
  ready: { vendors: Readonly<Record<string, boolean>> };
  shown: { identifier: string };
  answered: { vendors: Readonly<Record<string, boolean>>; token: string };
  /** The service has the answer. */
  saved: { consent: Record<string, unknown> };
  /** There is no network: it is sent later. */
  kept: undefined;
  dismissed: undefined;
  /** A consent box or a contract box: the service has the answer, or it is kept and sent later. */
  boxAnswered: { collection: "processings" | "contracts"; identifier: string; accept: boolean };
  error: { error: unknown };
}

/** Tells the page what happened. */
export function emit<K extends keyof Events>(name: K, detail?: Events[K]): void {
  document.dispatchEvent(new CustomEvent(`avow:${name}`, { detail }));
}

/** Tells the page what went wrong. */
export const tellError = (error: unknown): void => emit("error", { error });

/** Listens; the answer stops it. */
export function on<K extends keyof Events>(
  name: K,
  listen: (detail: Events[K]) => void,
): () => void {
  const heard = (event: Event): void => listen((event as CustomEvent).detail);
  document.addEventListener(`avow:${name}`, heard);
  return () => document.removeEventListener(`avow:${name}`, heard);
}
