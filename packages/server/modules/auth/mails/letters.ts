import type { Role } from "../users/schema.ts";

/** The contents of a mail by its kind; `url` is the link of its one button. */
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
  | {
      kind: "invitation";
      url: string;
      inviter: string;
      title: string;
      role: Role;
      /** Whether only an account with the address can accept. */
      isBound: boolean;
    }
  | {
      kind: "added";
      url: string;
      adder: string;
      title: string;
      role: Role;
      /** Whether the others see the address and the name already. */
      isDisclosed: boolean;
    }
  | { kind: "project-offered"; url: string; offerer: string; title: string }
  | { kind: "scan-changed"; url: string; title: string; host: string; news: readonly string[] }
  | {
      kind: "snippet";
      sender: string;
      title: string;
      host: string;
      /** The element for the website, made by the service. */
      snippet: string;
      serviceUrl: string;
      projectId: string;
    }
  | {
      kind: "notifications";
      isDigest: boolean;
      lines: readonly string[];
      more: number;
      url: string;
      unsubscribeUrl: string;
    }
  | {
      kind: "weekly";
      from: string;
      to: string;
      timeZone: string;
      projects: readonly WeekOfProject[];
      more: number;
      url: string;
      unsubscribeUrl: string;
    }
  | { kind: "erasure-requested"; url: string; title: string; dueAt: string }
  | { kind: "webhook-disabled"; because: "gone" | "failing"; host: string; webhookId: string };

interface WeekCounts {
  shown: number;
  answered: number;
  accepted: number;
  refused: number;
}

/** A project in the weekly letter. */
interface WeekOfProject {
  title: string;
  url: string;
  week: WeekCounts;
  before: WeekCounts;
  days: readonly (WeekCounts & { day: string })[];
  publications: number;
  news: number;
}

/** The brand of an organization, in whose name a letter is sent. */
export interface LetterBrand {
  name: string;
  color?: string;
  supportEmail?: string;
  senderName?: string;
  replyTo?: string;
  /** The host at which the brand's clients reach the service. */
  host?: string;
}

/** Letters about a second factor. */
export type FactorLetter = Extract<Letter, { kind: `factor-${string}` | `recovery-${string}` }>;

/** The text of a letter: its subject, the action, and what to do about an unrequested letter. */
export interface MailText {
  subject: string;
  lines: string[];
  /** Under the lines. */
  tables?: MailTable[];
  button?: { label: string; url: string };
  /** Under the button, smaller. */
  notes: string[];
  /** The last line, smaller. */
  link?: { label: string; url: string };
}

/** A table with a linked title, and lines above it. */
export interface MailTable {
  title: string;
  url: string;
  lines: string[];
  head: string[];
  rows: string[][];
}

/** The texts of one language. */
export interface MailWords {
  /** Introduces the address to copy. */
  orCopy: string;
  /** A colon in the language's typography. */
  colon: string;
  footer: (publicUrl: string) => string;
  /** The same for a letter in the name of a brand. */
  brandFooter: (brand: { name: string; supportEmail?: string }, publicUrl: string) => string;
  toWords: (letter: Letter) => MailText;
}
