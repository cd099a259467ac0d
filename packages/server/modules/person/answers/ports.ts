import type { Unplaced } from "../../../platform/db/buckets/buckets.ts";
import type { Planes, Tx } from "../../../platform/db/db.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { CollectApp } from "../../consents/collect/collect.ts";
import type { Facts } from "../../evidence/log/sequence/facts.ts";
import type { OpenRate } from "../../../platform/queues/rate.ts";
import type { Regions } from "../../../platform/regions/regions.ts";
import type { FormatsApp } from "../../evidence/reports/formats.ts";

/** The mail about a request for erasure, to an owner of the project. */
interface RequestLetter {
  /** Null for a user without an address: no mail is sent. */
  to: string | null;
  language: MailLanguage;
  /** The project, whose brand the mail has. */
  about: string;
  letter: { kind: "erasure-requested"; url: string; title: string; dueAt: string };
}

/** The dependencies of a person's page. */
export interface PersonApp extends Planes, FormatsApp, CollectApp {
  publicUrl: string;
  facts: Facts;
  regions: Regions;
  openRate: OpenRate;
  outbox: { postLetter: (tx: Tx, now: Date, posted: RequestLetter) => Promise<void> };
  /** Limit per network and node. */
  visitorLinksPerMinuteMax: number;
}

/** The same before the project is known. */
export type PersonRoutesApp = Unplaced<PersonApp>;
