import type { Preferences } from "./schema.ts";

/** What a browser said for its user beside the answer itself. */
export interface Signals {
  /** Whether the request carried `Sec-GPC: 1` (Global Privacy Control). */
  gpc: boolean;
  googleConsentMode: Record<string, unknown> | null;
  /** IAB TCF. */
  tcString: string | null;
}

/** The signals of a record; null where nobody looked for them: imports, and records of before. */
export function toSignals(
  gpc: boolean | null,
  preferences: Pick<Preferences, "googleConsentMode" | "tcString"> | null,
): Signals | null {
  if (gpc === null) return null;
  const { googleConsentMode = null, tcString = null } = preferences ?? {};
  return { gpc, googleConsentMode, tcString };
}
