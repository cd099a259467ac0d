import type { Events } from "./events.ts";

/** The interface of the widget for pages. */
export interface Avow {
  /** Resolves when earlier answers are known; rejects if the project cannot be loaded. */
  readonly ready: Promise<void>;
  /** The visitor's token: the site's own id of them, once it knows them. */
  token: string | undefined;
  /** Whether each vendor may run. */
  readonly vendors: Readonly<Record<string, boolean>>;
  isAccepted(vendor: string): boolean;
  /** Resolves as soon as a vendor may run. */
  whenAccepted(vendor: string): Promise<void>;
  /** Adds a listener; returns a function that removes it. */
  on<K extends keyof Events>(name: K, listen: (detail: Events[K]) => void): () => void;
  /** Opens the visitor's choices. */
  open(): Promise<void>;
  close(): void;
  /** Saves the visitor's answer, for a page with its own interface. */
  answer(vendors: Readonly<Record<string, boolean>>): Promise<void>;
}
