import type { Preferences, Signals } from "@avow/contract/consents";

/** The signals of a record; null where they were not stored: imports, and old records. */
export function toSignals(
  gpc: boolean | null,
  preferences: Pick<Preferences, "googleConsentMode" | "tcString"> | null,
): Signals | null {
  if (gpc === null) return null;
  const { googleConsentMode = null, tcString = null } = preferences ?? {};
  return { gpc, googleConsentMode, tcString };
}
