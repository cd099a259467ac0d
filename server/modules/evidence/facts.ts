import { LRUCache } from "lru-cache";
import type { Db, Tx } from "../../platform/db/db.ts";
import { type RecordedRow, findChoice } from "../consents/recorded.ts";
import type { AnswersJson } from "../consents/states-json.ts";
import { publicationName } from "./publications.ts";
import { findDocument } from "./store.ts";

const CACHED_MAX = 20_000;

/** What a record refers to: none of it ever changes, so that it is remembered. */
export interface Facts {
  /** The answers that a record gave, by item, and the hash of the published version that was shown. */
  factsOf: (
    db: Db | Tx,
    row: RecordedRow,
  ) => Promise<{ answers: AnswersJson; publication: string | null }>;
}

export function openFacts(): Facts {
  const choices = new LRUCache<string, AnswersJson>({ max: CACHED_MAX });
  const publications = new LRUCache<string, string>({ max: CACHED_MAX });
  const answersOf = async (db: Db | Tx, row: RecordedRow): Promise<AnswersJson> => {
    const { project_id: projectId, identifier, choice } = row;
    if (choice === null) return row.answers ?? {};
    const key = `${projectId} ${choice} ${identifier}`;
    const known = choices.get(key);
    if (known) return known;
    const found = await findChoice(db, { projectId, identifier, choice });
    if (!found) throw new Error(`There is no choice ${choice} of ${identifier}.`);
    choices.set(key, found);
    return found;
  };
  const publicationOf = async (db: Db | Tx, row: RecordedRow): Promise<string | null> => {
    if (row.version === null) return null;
    const name = publicationName("production", row.version);
    const key = `${row.project_id} ${name}`;
    const known = publications.get(key);
    if (known !== undefined) return known;
    const hash = (await findDocument(db, row.project_id, name))?.document["hash"];
    if (typeof hash !== "string") throw new Error(`There is no ${name} of ${row.project_id}.`);
    publications.set(key, hash);
    return hash;
  };
  return {
    async factsOf(db, row) {
      return { answers: await answersOf(db, row), publication: await publicationOf(db, row) };
    },
  };
}
