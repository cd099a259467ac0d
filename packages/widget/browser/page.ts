import type { JsonObject } from "@avow/contract/json";
import { runTags } from "../banner/tags.ts";
import { toList } from "../core/memory.ts";
import type { Consent, ConsentState } from "../headless/api.ts";
import { defaultConsentMode, pushEvent, updateConsentMode } from "../page/consent-mode.ts";
import { reloadSoon } from "../page/reload.ts";

/** Options of `connectPage`. */
export interface PageOptions {
  /**
   * Whether the default "denied" of Consent Mode is set at once; `site`: the site sets that of Google's tags itself. A
   * configuration with Consent Mode sets it when it has loaded.
   */
  consentMode?: boolean | "site" | undefined;
  /** The nonce of the page's policy: then only blocked scripts with this nonce run. */
  nonce?: string | undefined;
}

/** The channel of the widget: its pages and these follow each other. */
const CHANNEL = "avow";

/**
 * Applies a visitor's consent to the page: runs blocked tags (`data-avow-vendor`), updates Consent Mode and `dataLayer`,
 * follows answers of other pages of the site, sends unsent answers when the network is back, and reloads the page when
 * a vendor that ran is refused, since a running script cannot be stopped. Returns a function that disconnects.
 */
export function connectPage(
  consent: Consent,
  { consentMode, nonce }: PageOptions = {},
): () => void {
  if (consentMode) defaultConsentMode(consentMode);
  const ran = new Set<string>();
  /** The vendors of the state before, as JSON; undefined before the first. */
  let before: string | undefined;
  let isOwn = true;
  const channel = new BroadcastChannel(CHANNEL);
  const begin = ({ offer }: ConsentState): void => {
    const mode = offer?.configuration.googleConsentMode;
    if (mode && !consentMode) defaultConsentMode(true, mode["default"] as JsonObject | undefined);
  };
  const report = ({ vendors }: ConsentState, accepted: readonly string[]): void => {
    const names = toList(accepted);
    pushEvent({ event: "avow_answered", avow_accepted: names, avow_vendors: vendors });
    // A channel has no target origin: only pages of this origin receive it.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (isOwn) channel.postMessage(0);
  };
  const apply = (): void => {
    const state = consent.getState();
    const vendors = JSON.stringify(state.vendors);
    if (state.status !== "ready" || vendors === before) return;
    const isFirst = before === undefined;
    before = vendors;
    if (isFirst) begin(state);
    const { googleConsentMode, settings } = state.offer?.configuration ?? {};
    // Before the first answer, tags have only the default.
    if ((googleConsentMode ?? consentMode) && (state.isAnswered || state.model !== "opt-in"))
      updateConsentMode(state.signals);
    const accepted = Object.keys(state.vendors).filter((name) => state.vendors[name]);
    const isWithdrawn = [...ran].some((name) => !accepted.includes(name));
    for (const name of accepted) ran.add(name);
    runTags((vendor) => consent.isAccepted(vendor), ran, nonce);
    if (!isFirst) report(state, accepted);
    if (isWithdrawn && settings?.reloadAfterWithdrawal !== false) reloadSoon();
  };
  channel.addEventListener("message", () => {
    isOwn = false;
    void consent
      .refresh()
      .catch(reportError)
      .finally(() => (isOwn = true));
  });
  const flush = (): void => void consent.flush();
  addEventListener("online", flush);
  const stop = consent.subscribe(apply);
  apply();
  return () => {
    stop();
    channel.close();
    removeEventListener("online", flush);
  };
}
