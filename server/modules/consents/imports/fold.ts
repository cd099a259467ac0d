import type { Answered } from "../answered.ts";
import type { Ledger } from "../ledger.ts";
import { toAnswersJson } from "../states-json.ts";
import type { NewConsent } from "../store.ts";

/** A record and what it answers. */
export interface Made {
  record: NewConsent;
  answered: Answered;
}

/** What is to be written of one token and configuration. */
export interface Change extends Ledger {
  /** The new records. */
  made: readonly Made[];
  /** Whether there was no state. */
  isNew: boolean;
}

/** A record whose choice is set. Undefined fields are left out of the JSON, which makes them null in the row. */
export function toRecordRow({ record, answered }: Made, isFirst: boolean): object {
  const { choice = null } = answered;
  return {
    id: record.id,
    token: record.token,
    collection: record.collection,
    identifier: record.identifier,
    accept: record.accept,
    choice: choice ?? undefined,
    answers: choice === null ? toAnswersJson(answered.answers) : undefined,
    preferences: record.preferences ?? undefined,
    value: record.value ?? undefined,
    language: record.language ?? undefined,
    url: record.url ?? undefined,
    clientAt: record.clientAt ?? undefined,
    version: record.version ?? undefined,
    warnings: record.warnings.length > 0 ? record.warnings : undefined,
    createdAt: record.createdAt,
    isFirst,
  };
}
