import type { FastifyBaseLogger } from "fastify";
import type { Counters } from "../../../kernel/counters.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import type { Tx } from "../../../platform/db/db.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Plans } from "../../billing/plans.ts";
import type { StatsApp } from "../../consents/stats/stats.ts";

interface UnsubscribableLetter {
  unsubscribeUrl: string;
}

/** The mail about one notification, or about those of a day. */
interface NotificationsLetter extends UnsubscribableLetter {
  kind: "notifications";
  isDigest: boolean;
  /** Sentences in the language of the mail, with plain names. */
  lines: readonly string[];
  /** Number of notifications that are not listed. */
  more: number;
  url: string;
}

/** Numbers of a day or a week. */
export interface WeekCounts {
  shown: number;
  answered: number;
  accepted: number;
  refused: number;
}

/** A project in the weekly mail. */
export interface WeekOfProject {
  title: string;
  url: string;
  week: WeekCounts;
  before: WeekCounts;
  days: readonly (WeekCounts & { day: string })[];
  publications: number;
  /** New services and cookies that scans found. */
  news: number;
}

interface WeeklyLetter extends UnsubscribableLetter {
  kind: "weekly";
  /** The first and the last day, formatted. */
  from: string;
  to: string;
  timeZone: string;
  projects: readonly WeekOfProject[];
  /** Number of projects that are not in the mail. */
  more: number;
  url: string;
}

/** A mail that its recipient can end with one click. */
export interface NotificationMail {
  /** Null for a user without an address: no mail is sent. */
  to: string | null;
  language: MailLanguage;
  /** The project or organization whose brand the mail has; absent for mails about several. */
  about?: string;
  letter: NotificationsLetter | WeeklyLetter;
}

/** The dependencies that the composition root passes to this module. */
export interface NotificationsApp extends StatsApp {
  jobs: Jobs;
  log: Pick<FastifyBaseLogger, "warn" | "error">;
  publicUrl: string;
  counters: Counters;
  plans: Plans;
  /** Seals the tokens of links that end mails. */
  sealer: Sealer;
  outbox: { postLetter: (tx: Tx, now: Date, posted: NotificationMail) => Promise<void> };
}
