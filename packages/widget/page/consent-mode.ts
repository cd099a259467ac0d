import type { JsonObject } from "@avow/contract/json";
import { type Grants, toConsentMode } from "../core/signals.ts";

const WAIT_MS = 500;
type Queue = unknown[];

/** Whether the browser sends Global Privacy Control. */
export function isOptedOut(): boolean {
  return Boolean(
    (navigator as Navigator & { globalPrivacyControl?: unknown }).globalPrivacyControl,
  );
}

/**
 * Sets the default "denied" for Google's and Microsoft's tags, before any of them runs; `mode` is the option `consentMode`.
 */
export function defaultConsentMode(mode: unknown, defaults?: JsonObject): void {
  const denied = toConsentMode([], () => false);
  if (mode !== "site")
    gtag("consent", "default", { ...defaults, ...denied, wait_for_update: WAIT_MS });
  uet("default", "denied");
}

/** Updates the consent mode of Google's and Microsoft's tags. */
export function updateConsentMode(grants: Grants): void {
  gtag("consent", "update", grants);
  uet("update", grants["ad_storage"]);
}

/** Pushes an event to the site's tag manager, if it has one. */
export function pushEvent(data: object): void {
  (window as { dataLayer?: Queue }).dataLayer?.push(data);
}

/** Google's tags recognize commands as `arguments` objects. */
function gtag(..._command: unknown[]): void {
  // oxlint-disable-next-line prefer-rest-params
  queueOf("dataLayer").push(arguments);
}

function uet(kind: string, ad: unknown): void {
  queueOf("uetq").push("consent", kind, { ad_storage: ad });
}

function queueOf(name: string): Queue {
  const page = window as unknown as Record<string, Queue | undefined>;
  return (page[name] ??= []);
}
