import type { Avow } from "./page/api.ts";
import { on, emitError } from "./page/events.ts";
import type { LoadFeature } from "./banner/features.ts";
import type { LocatedOptions } from "./page/options.ts";
import { defaultConsentMode } from "./page/consent-mode.ts";
import { type Visit, openVisit } from "./banner/visit.ts";

/**
 * Loads a project's published file, runs the accepted tags, shows the banner if an answer is missing, and shows the
 * page's forms. Call it once.
 */
export function init(options: LocatedOptions, load: LoadFeature): Avow {
  if (options.consentMode) defaultConsentMode(options.consentMode);
  let visit: Visit | undefined;
  const opening = openVisit(options, load).then((opened) => (visit = opened));
  const ready = opening.then((opened) => opened.begin());
  ready.catch((error: unknown) => {
    emitError(error);
    // Also reports it to the console, for the developer of the page.
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
