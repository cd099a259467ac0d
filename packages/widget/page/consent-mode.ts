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

/** Sets the default "denied" for Google's and Microsoft's tags, before any of them runs. */
export function defaultConsentMode(defaults: JsonObject = {}): void {
  const nothing = toConsentMode([], () => false);
  gtag("consent", "default", { ...defaults, ...nothing, wait_for_update: WAIT_MS });
  uet("default", "denied");
}

/** Updates the consent mode of Google's and Microsoft's tags. */
export function updateConsentMode(grants: Grants): void {
  gtag("consent", "update", grants);
  uet("update", grants["ad_storage"]);
}

/** Pushes an event to the site's tag manager, if it has one. */
export function pushEvent(data: object): void {
  if ("dataLayer" in window) queueOf("dataLayer").push(data);
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
