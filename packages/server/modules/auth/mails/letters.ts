import type { Role } from "../users/schema.ts";

/** What a mail tells, by its kind; an address in it is where its one button leads. */
export type Letter =
  | { kind: "reset"; url: string; minutes?: number }
  | { kind: "validate"; url: string }
  | { kind: "password-changed"; removed?: string[] }
  | { kind: "identity-added"; provider: string }
  | { kind: "identity-removed"; provider: string }
  | { kind: "factor-added" }
  | { kind: "factor-removed"; by: "user" | "operator" }
  | { kind: "recovery-codes-made" }
  | { kind: "recovery-code-used"; left: number }
  | { kind: "key-made"; label: string; scopes: readonly string[] }
  | { kind: "account-deleted" }
  | { kind: "invitation"; url: string; inviter: string; title: string; role: Role }
  | { kind: "webhook-disabled"; because: "gone" | "failing"; host: string; webhookId: string };

/** Those that tell of a second factor. */
export type FactorLetter = Extract<Letter, { kind: `factor-${string}` | `recovery-${string}` }>;

/** A letter in words: what it is about, what to do, and what to do when it was not asked for. */
export interface Worded {
  subject: string;
  lines: string[];
  button?: { label: string; url: string };
  /** Under the button, smaller. */
  notes: string[];
}

/** The words of one language. */
export interface MailWords {
  /** Before an address that can be copied. */
  orCopy: string;
  /** As it is set after a word. */
  colon: string;
  footer: (publicUrl: string) => string;
  toWords: (letter: Letter) => Worded;
}
