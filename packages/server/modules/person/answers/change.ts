import type { Db } from "../../../platform/db/db.ts";
import type { Link } from "../../consents/links/links.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { type StateEntry, listTokenState } from "../../consents/states/token-state.ts";

/** For so long the page tells what was changed, and a withdrawal can be undone. */
const CHANGE_MS = 10 * 60_000;
/** Where the newest records are looked through for one. */
export const RECORDS_MAX = 50;

/** What a record changed just now. */
export interface Change {
  consentId: string;
  identifier: string;
  at: Date;
  accept: boolean;
  /** The items that it answered, '' for a configuration as a whole. */
  items: readonly string[];
  /** Of these, what it withdrew that was in force before: what undoing it accepts again. */
  withdrawn: readonly string[];
}

interface ChangeRecord {
  id: string;
  identifier: string;
  createdAt: Date;
  accept: boolean;
}

/**
 * What the record `consentId` changed, where it is one of the token's newest, of the last ten minutes, and nothing that
 * it answered was answered again since. An acceptance that was over or outdated before is nothing to come back to.
 */
export async function findChange(
  db: Db,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  given: {
    consentId: string;
    now: Date;
    entries: readonly StateEntry[];
    records: readonly ChangeRecord[];
  },
): Promise<Change | undefined> {
  const record = given.records.find(({ id }) => id === given.consentId);
  if (!record || given.now.getTime() - record.createdAt.getTime() > CHANGE_MS) return undefined;
  const { id: consentId, identifier, createdAt: at, accept } = record;
  const own = given.entries.filter(
    ({ identifier: its, state }) => its === identifier && state?.consentId === consentId,
  );
  if (own.length === 0) return undefined;
  const gone = own.filter(
    ({ status, state }) => status === "withdrawn" && state?.since.getTime() === at.getTime(),
  );
  const accepted =
    gone.length === 0
      ? new Set<string>()
      : await listAcceptedBefore(db, { projectId, token }, record);
  return {
    consentId,
    identifier,
    at,
    accept,
    items: own.map(({ item }) => item),
    withdrawn: gone.map(({ item }) => item).filter((item) => accepted.has(item)),
  };
}

/** What of a configuration was in force right before a record. */
async function listAcceptedBefore(
  db: Db,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  { identifier, createdAt }: ChangeRecord,
): Promise<ReadonlySet<string>> {
  const before = new Date(createdAt.getTime() - 1);
  const asked = { projectId, token, now: before, at: before, named: [], cursor: undefined };
  const { items } = await listTokenState(db, asked);
  const accepted = items.filter(
    (entry) => entry.identifier === identifier && entry.status === "accepted",
  );
  return new Set(accepted.map(({ item }) => item));
}

/** The same for who has a link alone: reads what it needs. */
export async function readChange(
  { db, now }: { db: Db; now: () => Date },
  { projectId, token }: Pick<Link, "projectId" | "token">,
  consentId: string,
): Promise<Change | undefined> {
  const asked = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const window = { order: "desc", limit: RECORDS_MAX, cursor: "" } as const;
  const [{ items: entries }, { items: records }] = await Promise.all([
    listTokenState(db, asked),
    listRecordsAfter(db, { projectId, token }, window),
  ]);
  return findChange(db, { projectId, token }, { consentId, now: now(), entries, records });
}
