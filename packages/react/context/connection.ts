import type { Avow } from "@avow/widget";
import { type BrowserConsentOptions, type PageOptions, connectPage } from "@avow/widget/browser";
import type { Consent } from "@avow/widget/headless";
import { createContext } from "react";

/** The connection of a consent with the page. */
export interface PageConnection {
  /** Connects; returns a function that disconnects. */
  connect(options: PageOptions): () => void;
  /** Loads the widget once, leaves the page to it, and follows its answers. */
  openWidget(): Promise<Avow>;
}

export const PageConnectionContext = createContext<PageConnection | undefined>(undefined);

/** Notifies pages, and other parts of this one, of an answer (`connectPage`). */
const CHANNEL = "avow";

export function openPageConnection(consent: Consent): PageConnection {
  let disconnect: (() => void) | undefined;
  let pageOptions: PageOptions = {};
  let widget: Promise<Avow> | undefined;
  const follow = (): (() => void) => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener("message", () => void consent.refresh().catch(reportError));
    return () => channel.close();
  };
  const loadWidget = async (): Promise<Avow> => {
    const { init } = await import("@avow/widget");
    disconnect?.();
    disconnect = follow();
    const { project, url, region, ...options }: BrowserConsentOptions = consent.options;
    const { cdn, environment, token, cookies, language, country, manual = false } = options;
    const { consentMode = false, nonce } = pageOptions;
    return init({
      projectId: project,
      service: url,
      region: region ?? undefined,
      cdn,
      environment,
      token,
      cookies,
      language,
      country,
      manual,
      consentMode,
      ...(nonce !== undefined && { nonce }),
    });
  };
  return {
    connect(options) {
      pageOptions = options;
      disconnect = widget ? follow() : connectPage(consent, options);
      return () => disconnect?.();
    },
    openWidget: () => (widget ??= loadWidget()),
  };
}
