import type { Collection } from "../collections.ts";
import type { Preferences, Signals } from "../consents.ts";

/** The answer to one item, with the digest of its offer. */
export interface RecordedAnswer {
  answer: "accepted" | "refused";
  substance: string;
  /** Validity in days; null: unlimited. */
  days: number | null;
  name: string;
}

/** A consent as the transparency log commits to it: the `record` of a proof bundle. */
export type RecordedConsent = {
  type: "consent";
  v: 1;
  consentId: string;
  projectId: string;
  collection: Collection;
  identifier: string;
  token: string;
  accept: boolean;
  /** By item: '' for the configuration as a whole, otherwise a vendor's slug. */
  answers: Readonly<Record<string, RecordedAnswer>>;
  preferences: Preferences | null;
  value: unknown;
  signals: Signals | null;
  grade: string;
  createdAt: string;
  /** By the visitor's clock. */
  timestamp: string | null;
  displayedAt?: string;
  language: string | null;
  url: string | null;
  country: string | null;
  userAgent: string;
  version: number | null;
  /** The hash of the published version that was shown; null where none was live. */
  publication: string | null;
};

/** A published version as the transparency log commits to it. */
export type RecordedPublication = {
  type: "publication";
  v: 1;
  projectId: string;
  environment: string;
  version: number;
  /** SHA-256 of the content. */
  hash: string;
  size: number;
  publishedAt: string;
};

/** The columns of a consent in its canonical form. */
export interface RecordColumns {
  id: string;
  project_id: string;
  token: string;
  collection: string;
  identifier: string;
  accept: boolean;
  language: string | null;
  url: string | null;
  client_at: Date | null;
  country: string | null;
  user_agent: string;
  version: number | null;
  import_id: string | null;
  grade: string | null;
  gpc: boolean | null;
  displayed_at: Date | null;
  created_at: Date;
}

/** Parts of a record's canonical form, as canonical JSON. */
export interface RecordFacts {
  answers: string;
  preferences: string;
  value: string;
  /** The signals for other systems in the preferences. */
  googleConsentMode: string;
  tcString: string;
  /** The hash of the published version that was shown; null where none was live. */
  publication: string | null;
}

/** A record's canonical form around its id, its time and its token. */
export interface Frame {
  toId: string;
  toTime: string;
  toToken: string;
  end: string;
}

/**
 * A consent as canonical JSON (RFC 8785), to which the log commits: members by name, strings and numbers as
 * `JSON.stringify` writes them. All members come from immutable columns and are always present, except members
 * that were added later: rows from before have null there, so that their bytes never change. Any other change needs a
 * new `v`. Written out member by member, since it runs for every consent.
 */
export function toConsentText(row: RecordColumns, facts: RecordFacts): string {
  const { toId, toTime, toToken, end } = toFrame(row, facts);
  return `${toId}${row.id}${toTime}${row.created_at.toISOString()}${toToken}${text(row.token)}${end}`;
}

/** The canonical form without id, time and token: records of the same answer share it. */
export function toFrame(
  row: Omit<RecordColumns, "id" | "created_at" | "token">,
  facts: RecordFacts,
): Frame {
  const { country, language, url, version, client_at: clientAt } = row;
  const grade = row.grade ?? (row.import_id === null ? "browser" : "imported");
  const displayedAt = row.displayed_at && `"displayedAt":"${row.displayed_at.toISOString()}",`;
  return {
    toId: `{"accept":${String(row.accept)},"answers":${facts.answers},"collection":${text(
      row.collection,
    )},"consentId":"`,
    toTime: `","country":${text(country)},"createdAt":"`,
    toToken: `",${displayedAt ?? ""}"grade":"${grade}","identifier":${text(
      row.identifier,
    )},"language":${text(language)},"preferences":${facts.preferences},"projectId":${text(
      row.project_id,
    )},"publication":${text(facts.publication)},"signals":${toSignals(row, facts)},"timestamp":${text(
      clientAt && clientAt.toISOString(),
    )},"token":`,
    end: `,"type":"consent","url":${text(url)},"userAgent":${text(
      row.user_agent,
    )},"v":1,"value":${facts.value},"version":${String(version)}}`,
  };
}

function toSignals(
  { gpc }: Pick<RecordColumns, "gpc">,
  { googleConsentMode, tcString }: RecordFacts,
): string {
  if (gpc === null) return "null";
  return `{"googleConsentMode":${googleConsentMode},"gpc":${String(gpc)},"tcString":${tcString}}`;
}

function text(value: string | null): string {
  return JSON.stringify(value);
}
