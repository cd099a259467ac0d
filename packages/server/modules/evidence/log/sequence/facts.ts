import { LRUCache } from "lru-cache";
import type { DataDb, DataTx } from "../../../../platform/db/db.ts";
import { type RecordedRow, findChoice } from "../../../consents/commitments/recorded.ts";
import type { Preferences } from "@avow/contract/consents";
import { findPublication } from "./publications.ts";
import type { RecordFacts } from "@avow/contract/record";
import { toCanonical } from "../tree/entry.ts";

const CACHED_CHARS_MAX = 8 * 1024 * 1024;

type PreferenceFacts = Pick<RecordFacts, "preferences" | "googleConsentMode" | "tcString">;

const noPreferences = { preferences: "null", googleConsentMode: "null", tcString: "null" };

/** A cache of the facts that records refer to. Facts never change. */
export interface Facts {
  factsOf: (db: DataDb | DataTx, row: RecordedRow) => RecordFacts | Promise<RecordFacts>;
  /** The facts of a record if all are cached; undefined if any would have to be loaded. */
  knownOf: (row: RecordedRow) => RecordFacts | undefined;
}

type LoadedName = "answers" | "publication";

/** A record refers to something that does not exist. */
export class MissingFactError extends Error {
  override name = "MissingFactError";
}

export function openFacts(): Facts {
  const known = new LRUCache<string, string>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: (value, key) => value.length + key.length + 1,
  });
  const knownPreferences = new LRUCache<string, PreferenceFacts>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: ({ preferences, googleConsentMode, tcString }, key) =>
      key.length + preferences.length + googleConsentMode.length + tcString.length,
  });
  /** Canonicalizes preferences. Few distinct values occur, so they are cached. */
  const preferencesOf = (json: string | null): PreferenceFacts => {
    if (json === null) return noPreferences;
    let parsed = knownPreferences.get(json);
    if (parsed === undefined) knownPreferences.set(json, (parsed = toPreferenceFacts(json)));
    return parsed;
  };
  const load = async (key: string, find: () => Promise<string>): Promise<string> => {
    const found = await find();
    known.set(key, found);
    return found;
  };
  const findKnown = (row: RecordedRow): { [K in LoadedName]: RecordFacts[K] | undefined } => ({
    answers: row.choice === null ? toCanonical(row.answers ?? {}) : known.get(choiceKeyOf(row)),
    publication: row.version === null ? null : known.get(publicationKeyOf(row)),
  });
  /** The facts in the record itself. A value that a visitor typed occurs once and is not cached. */
  const readOwn = (row: RecordedRow): Omit<RecordFacts, LoadedName> => ({
    value: canonicalizeJson(row.value),
    ...preferencesOf(row.preferences),
  });
  const loadAll = async (db: DataDb | DataTx, row: RecordedRow): Promise<RecordFacts> => {
    const { answers, publication } = findKnown(row);
    return {
      answers: answers ?? (await load(choiceKeyOf(row), () => loadChoice(db, row))),
      publication:
        publication === undefined
          ? await load(publicationKeyOf(row), () => loadPublication(db, row))
          : publication,
      ...readOwn(row),
    };
  };
  const knownOf = (row: RecordedRow): RecordFacts | undefined => {
    const { answers, publication } = findKnown(row);
    if (answers === undefined || publication === undefined) return undefined;
    return { answers, publication, ...readOwn(row) };
  };
  return { knownOf, factsOf: (db, row) => knownOf(row) ?? loadAll(db, row) };
}

function choiceKeyOf(row: RecordedRow): string {
  return `choice ${row.project_id} ${row.choice} ${row.identifier}`;
}

function publicationKeyOf(row: RecordedRow): string {
  return `publication ${row.project_id} ${row.version}`;
}

function toPreferenceFacts(json: string): PreferenceFacts {
  const preferences = JSON.parse(json) as Preferences;
  return {
    preferences: toCanonical(preferences),
    googleConsentMode: toCanonical(preferences.googleConsentMode ?? null),
    tcString: toCanonical(preferences.tcString ?? null),
  };
}

function canonicalizeJson(json: string | null): string {
  return json === null ? "null" : toCanonical(JSON.parse(json));
}

async function loadChoice(db: DataDb | DataTx, row: RecordedRow): Promise<string> {
  const { project_id: projectId, identifier, choice } = row;
  const found = await findChoice(db, { projectId, identifier, choice: choice ?? 0 });
  if (found) return toCanonical(found);
  throw new MissingFactError(`answer combination ${choice} of ${identifier}`);
}

async function loadPublication(db: DataDb | DataTx, row: RecordedRow): Promise<string> {
  const { project_id: projectId, version } = row;
  const found = await findPublication(db, { projectId, version: version ?? 0 });
  const hash = found?.document["hash"];
  if (typeof hash === "string") return hash;
  throw new MissingFactError(`published version ${version} of ${projectId}`);
}
