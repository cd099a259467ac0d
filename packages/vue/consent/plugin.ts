import { type PageOptions, connectPage, createBrowserConsent } from "@avow/widget/browser";
import {
  type Consent,
  type ConsentOptions,
  type ConsentState,
  createConsent,
} from "@avow/widget/headless";
import { type App, type InjectionKey, type ShallowRef, shallowReadonly, shallowRef } from "vue";

/** Options of `createAvow`: those of the consent, and of its connection to the page. */
export interface AvowOptions extends Omit<ConsentOptions, "deferred">, PageOptions {
  /** BCP 47; takes precedence over the page's `lang`, then the browser's languages. */
  language?: string | undefined;
}

/** The plugin. */
export interface Avow {
  install: (app: App) => void;
  consent: Consent;
  /** Changes with each change of the consent. */
  state: Readonly<ShallowRef<ConsentState>>;
  /**
   * Loads the project and runs accepted tags. Components call it when the first of them is mounted, so that the hydrated page
   * equals the server's. On a server it does nothing.
   */
  start: () => void;
}

/** The same for two copies of this module, as a development server may load them. */
export const avowKey: InjectionKey<Avow> = Symbol.for("@avow/vue");

/**
 * Creates the plugin for one app: `app.use(createAvow({ project, url }))`. A server creates one for each request, with the
 * `snapshot` that `createConsentReader` of `@avow/widget/server` has read, and the browser another with the same snapshot.
 */
export function createAvow({ nonce, consentMode, ...options }: AvowOptions): Avow {
  const isBrowser = typeof document !== "undefined";
  // IAB's TCF is asked by the widget, or by an interface of the site's own.
  const own = { withoutTcf: true, ...options, deferred: true };
  const consent = isBrowser ? createBrowserConsent(own) : createConsent(own);
  const state = shallowRef(consent.getState());
  const stops: (() => void)[] = [];
  const start = (): void => {
    if (!isBrowser || stops[0]) return;
    stops.push(
      consent.subscribe(() => (state.value = consent.getState())),
      connectPage(consent, { nonce, consentMode }),
    );
    consent.start();
  };
  const avow: Avow = {
    install(app) {
      app.provide(avowKey, avow);
      app.onUnmount(() => {
        for (const stop of stops.splice(0)) stop();
      });
    },
    consent,
    state: shallowReadonly(state),
    start,
  };
  return avow;
}
