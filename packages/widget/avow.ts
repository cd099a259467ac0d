import type { Avow } from "./core/api.ts";
import { on, tellError } from "./core/events.ts";
import type { Features } from "./banner/features.ts";
import type { Options } from "./core/options.ts";
import { defaultConsentMode } from "./core/signals.ts";
import { type Visit, openVisit } from "./banner/visit.ts";

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
