import { type Events, on, tellError } from "./events.ts";
import type { Features } from "./features.ts";
import type { Options } from "./options.ts";
import { defaultConsentMode } from "./signals.ts";
import { type Visit, openVisit } from "./visit.ts";

/** What a page can ask of the widget. */
export interface Avow {
  /** Resolves when answers of before are known; rejects where the project cannot be loaded. */
  readonly ready: Promise<void>;
  /** The visitor's token: the site's own id of them, once it knows them. */
  token: string | undefined;
  /** Whether each vendor may run. */
  readonly vendors: Readonly<Record<string, boolean>>;
  isAccepted(vendor: string): boolean;
  /** Resolves as soon as a vendor may run. */
  whenAccepted(vendor: string): Promise<void>;
  /** Listens; the answer stops it. */
  on<K extends keyof Events>(name: K, listen: (detail: Events[K]) => void): () => void;
  /** Opens the visitor's choices. */
  open(): Promise<void>;
  close(): void;
  /** Answers in the visitor's name, for a page that asks by itself. */
  answer(vendors: Readonly<Record<string, boolean>>): Promise<void>;
}

/**
 * Loads what is live of a project, lets run what may run, asks what is to be asked, and shows the page's
 * boxes. Call it once.
 */
export function init(options: Options, features: Features): Avow {
  if (options.consentMode) defaultConsentMode();
  let visit: Visit | undefined;
  const opening = openVisit(options, features).then((opened) => (visit = opened));
  const ready = opening.then((opened) => opened.begin());
  ready.catch((error: unknown) => {
    tellError(error);
    // Whoever sets up a page looks into the console.
    reportError(error);
  });
  const isAccepted = (vendor: string): boolean => visit?.choices.isAccepted(vendor) ?? false;
  return {
    ready,
    on,
    open: async () => (await opening).open(),
    close: () => visit?.close(),
    get token() {
      return visit?.choices.token ?? options.token;
    },
    set token(token) {
      void opening.then(({ choices }) => (choices.token = String(token)));
    },
    get vendors() {
      return visit?.choices.vendors ?? {};
    },
    isAccepted,
    whenAccepted: async (vendor) => {
      await opening;
      if (isAccepted(vendor)) return;
      await new Promise<void>((resolve) => {
        const stop = on("answered", () => {
          if (!isAccepted(vendor)) return;
          stop();
          resolve();
        });
      });
    },
    answer: async (vendors) => (await opening).answer({ ...vendors }),
  };
}
