import { LRUCache } from "lru-cache";
import type { Db, Tx } from "../../../../platform/db/db.ts";
import { type RecordedRow, findChoice } from "../../../consents/commitments/recorded.ts";
import type { Preferences } from "@avow/contract/consents";
import { findPublication } from "./publications.ts";
import type { RecordFacts } from "@avow/contract/record";
import { toCanonical } from "../tree/entry.ts";

const CACHED_CHARS_MAX = 8 * 1024 * 1024;

type PreferenceFacts = Pick<RecordFacts, "preferences" | "googleConsentMode" | "tcString">;

const noPreferences = { preferences: "null", googleConsentMode: "null", tcString: "null" };

/** What records are told with: none of it ever changes, so that it is remembered. */
export interface Facts {
  factsOf: (db: Db | Tx, row: RecordedRow) => RecordFacts | Promise<RecordFacts>;
  /** What is remembered; undefined where any of it would have to be looked up. */
  knownOf: (row: RecordedRow) => RecordFacts | undefined;
}

type Looked = "answers" | "publication";

/** Something that a record refers to is not there. */
export class MissingFactError extends Error {
  override name = "MissingFactError";
}

export function openFacts(): Facts {
  const known = new LRUCache<string, string>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: (value, key) => value.length + key.length + 1,
  });
  const saidBefore = new LRUCache<string, PreferenceFacts>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: (said, key) =>
      key.length + said.preferences.length + said.googleConsentMode.length + said.tcString.length,
  });
  /** Preferences in their canonical form; visitors give the same few. */
  const preferencesOf = (json: string | null): PreferenceFacts => {
    if (json === null) return noPreferences;
    let said = saidBefore.get(json);
    if (said === undefined) saidBefore.set(json, (said = toPreferenceFacts(json)));
    return said;
  };
  const load = async (key: string, find: () => Promise<string>): Promise<string> => {
    const found = await find();
    known.set(key, found);
    return found;
  };
  const findKnown = (row: RecordedRow): { [K in Looked]: RecordFacts[K] | undefined } => ({
    answers: row.choice === null ? toCanonical(row.answers ?? {}) : known.get(choiceKeyOf(row)),
    publication: row.version === null ? null : known.get(publicationKeyOf(row)),
  });
  /** What of it stands in the record itself. What a visitor typed comes once, and is not remembered. */
  const readOwn = (row: RecordedRow): Omit<RecordFacts, Looked> => ({
    value: fromJson(row.value),
    ...preferencesOf(row.preferences),
  });
  const look = async (db: Db | Tx, row: RecordedRow): Promise<RecordFacts> => {
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
  return { knownOf, factsOf: (db, row) => knownOf(row) ?? look(db, row) };
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

/** JSON in its canonical form. */
function fromJson(json: string | null): string {
  return json === null ? "null" : toCanonical(JSON.parse(json));
}

async function loadChoice(db: Db | Tx, row: RecordedRow): Promise<string> {
  const { project_id: projectId, identifier, choice } = row;
  const found = await findChoice(db, { projectId, identifier, choice: choice ?? 0 });
  if (found) return toCanonical(found);
  throw new MissingFactError(`choice ${choice} of ${identifier}`);
}

async function loadPublication(db: Db | Tx, row: RecordedRow): Promise<string> {
  const { project_id: projectId, version } = row;
  const found = await findPublication(db, { projectId, version: version ?? 0 });
  const hash = found?.document["hash"];
  if (typeof hash === "string") return hash;
  throw new MissingFactError(`published version ${version} of ${projectId}`);
}
