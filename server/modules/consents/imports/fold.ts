import type { Wanted } from "../choices.ts";
import type { Answered } from "../answered.ts";
import { type Said, type State, follow } from "../states.ts";
import { toAnswersJson } from "../states-json.ts";
import type { NewConsent } from "../store.ts";

/** A record and what it answers. */
export interface Made {
  record: NewConsent;
  answered: Answered;
}

/** The state that records come to, and those that it followed. */
export interface Fold {
  state: State;
  past: { state: State; untilId: string }[];
}

/** What is to be written of one token and configuration. */
export interface Change extends Fold {
  /** The new records. */
  made: readonly Made[];
  /** Whether there was no state. */
  isNew: boolean;
}

export function toSaid({ record, answered }: Made): Said {
  return { ...record, answers: answered.answers };
}

/** What records, in the order of their ids, make of the state before them. */
export function foldRecords(before: State | undefined, said: readonly Said[]): Fold {
  const past: Fold["past"] = [];
  let state = before;
  for (const one of said) {
    if (state) past.push({ state, untilId: one.id });
    state = follow(state, one);
  }
  if (!state) throw new Error("nothing makes no state");
  return { state, past };
}

export type NumberOf = (wanted: Wanted) => number | null;

/** Undefined fields are left out of the JSON, which makes them null in the row. */
export function toRecordRow(
  { record, answered }: Made,
  { isFirst, numberOf }: { isFirst: boolean; numberOf: NumberOf },
): object {
  const { projectId, identifier } = record;
  const choice = numberOf({ projectId, identifier, ...answered });
  return {
    id: record.id,
    token: record.token,
    collection: record.collection,
    identifier,
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
