import type { FastifyBaseLogger } from "fastify";
import type { Vendor } from "@avow/contract/configuration";
import type { Resolve, ScanOptions } from "@avow/scanner";
import type { ScanResult } from "@avow/scanner/result";
import type { Config } from "../../config/config.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";

/** The mail about something new on a website, to an owner or editor. */
interface ScanLetter {
  /** Null for a user without an address: no mail is sent. */
  to: string | null;
  language: MailLanguage;
  /** The project, whose brand the mail has. */
  about: string;
  letter: { kind: "scan-changed"; url: string; title: string; host: string; news: string[] };
}

/** The publication that visitors get. */
export interface LivePublication {
  version: number;
  hash: string;
  vendors: Vendor[];
}

/** The dependencies that the composition root passes to this module. */
export interface ScansApp {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  config: Pick<Config, "http" | "cdnUrl" | "scans">;
  /** Chromium's program; undefined where there is none, with the reason. */
  chromium: { path: string } | { missing: string };
  scanSite: (options: ScanOptions) => Promise<ScanResult>;
  /** Aborted at shutdown: another worker runs the scan again. */
  stopping: AbortSignal;
  /** Resolves hosts to addresses that a scan may contact. */
  resolve: Resolve;
  findLivePublication: (db: Db | Tx, projectId: string) => Promise<LivePublication | undefined>;
  /** The ids of users who may publish the project. */
  listPublishers: (db: Db | Tx, projectId: string) => Promise<string[]>;
  outbox: { postLetter: (tx: Tx, now: Date, posted: ScanLetter) => Promise<void> };
}
