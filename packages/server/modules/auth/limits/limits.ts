const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const INVITATIONS_TO_ADDRESS_MAX = 5;
const DAY_MS = 24 * HOUR_MS;

/** The maximum number of attempts for a key within a window, which begins with the first of them. */
export interface Limit {
  windowMs: number;
  max: number;
  /** First sentence of the error at the limit. */
  error?: string;
  /** Whether a success also clears the failures counted before it. */
  isClearedBySuccess?: boolean;
}

const failed = {
  windowMs: 15 * MINUTE_MS,
  error: "Too many wrong passwords or codes for this account or from your network.",
} as const;

/** Each limit by its name, which is part of the stored keys: a renamed limit starts again at zero. */
export const limits = {
  // Failed sign-ins: see `SigninAttempts`.
  "account at address": { ...failed, max: 10, isClearedBySuccess: true },
  address: { ...failed, max: 100 },
  account: { ...failed, max: 100 },
  // Guessing a code requires the password or a session first, so a few attempts are enough.
  codes: {
    windowMs: HOUR_MS,
    max: 10,
    isClearedBySuccess: true,
    error: "Too many wrong second-factor codes for this account.",
  },
  "sign-ups by network": {
    windowMs: HOUR_MS,
    // Set by SIGNUPS_PER_HOUR_MAX.
    max: Infinity,
    error: "Too many sign-ups from your network.",
  },
  "look-ups by user": {
    windowMs: HOUR_MS,
    max: 100,
    error: "Too many of these ids and addresses have no account. Invite people instead.",
  },
  "resets by network": {
    windowMs: HOUR_MS,
    max: 300,
    error: "Too many password resets were requested from your network.",
  },
  "resets to address": { windowMs: HOUR_MS, max: 5 },
  "validations by user": {
    windowMs: HOUR_MS,
    max: 300,
    error: "You requested too many confirmation mails.",
  },
  "validations to address": { windowMs: HOUR_MS, max: 5 },
  "invitations by user": {
    windowMs: HOUR_MS,
    max: 300,
    error: "You sent too many invitations.",
  },
  "invitations by user to address": {
    windowMs: HOUR_MS,
    max: INVITATIONS_TO_ADDRESS_MAX,
    error: `You sent ${INVITATIONS_TO_ADDRESS_MAX} invitations to this address.`,
  },
  /** Mails to people who were added; apart from invitations, so that a person who was added often can be invited. */
  "additions by user to address": { windowMs: HOUR_MS, max: INVITATIONS_TO_ADDRESS_MAX },
  /** Mails of invitations and additions, by all users together. */
  "invitations to address": { windowMs: DAY_MS, max: 20 },
  "snippets by user": { windowMs: DAY_MS, max: 20 },
  "snippets to address": { windowMs: DAY_MS, max: 5 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
