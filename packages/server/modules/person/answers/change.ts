import type { Planes } from "../../../platform/db/db.ts";
import type { Link } from "../../consents/links/links.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { type StateEntry, listTokenState } from "../../consents/states/token-state.ts";

/** How long the page shows a change, and a withdrawal can be undone. */
const CHANGE_MS = 10 * 60_000;
/** Number of newest records that are searched for a change. */
export const RECORDS_MAX = 50;

/** The recent change that a record made. */
export interface Change {
  consentId: string;
  identifier: string;
  at: Date;
  accept: boolean;
  /** The items that it answered, '' for a configuration as a whole. */
  items: readonly string[];
  /** Those of the items whose consent it withdrew, and which an undo accepts again. */
  withdrawn: readonly string[];
}

interface ChangeRecord {
  id: string;
  identifier: string;
  createdAt: Date;
  accept: boolean;
}

/**
 * The change that a record made, if it is one of the token's newest, at most ten minutes old, and none of its items was
 * answered again. Consents that had expired or were superseded before cannot be restored.
 */
export async function findChange(
  planes: Planes,
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
  const withdrawn = own.filter(
    ({ status, state }) => status === "withdrawn" && state?.since.getTime() === at.getTime(),
  );
  const accepted =
    withdrawn.length === 0
      ? new Set<string>()
      : await listAcceptedBefore(planes, { projectId, token }, record);
  return {
    consentId,
    identifier,
    at,
    accept,
    items: own.map(({ item }) => item),
    withdrawn: withdrawn.map(({ item }) => item).filter((item) => accepted.has(item)),
  };
}

/** The items of a configuration whose consent was in force right before a record. */
async function listAcceptedBefore(
  planes: Planes,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  { identifier, createdAt }: ChangeRecord,
): Promise<ReadonlySet<string>> {
  const before = new Date(createdAt.getTime() - 1);
  const query = { projectId, token, now: before, at: before, named: [], cursor: undefined };
  const { items } = await listTokenState(planes, query);
  const accepted = items.filter(
    (entry) => entry.identifier === identifier && entry.status === "accepted",
  );
  return new Set(accepted.map(({ item }) => item));
}

/** Like `findChange`, but reads the states and records itself. */
export async function readChange(
  { db, data, now }: Planes & { now: () => Date },
  { projectId, token }: Pick<Link, "projectId" | "token">,
  consentId: string,
): Promise<Change | undefined> {
  const query = { projectId, token, now: now(), at: undefined, named: [], cursor: undefined };
  const window = { order: "desc", limit: RECORDS_MAX, cursor: "" } as const;
  const [{ items: entries }, { items: records }] = await Promise.all([
    listTokenState({ db, data }, query),
    listRecordsAfter(data, { projectId, token }, window),
  ]);
  return findChange(
    { db, data },
    { projectId, token },
    { consentId, now: now(), entries, records },
  );
}
