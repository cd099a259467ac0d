import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { firstIdAt, idAfter, uuidPattern } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursor, toCursorFault } from "../../../kernel/page.ts";
import {
  type AcceptedToken,
  type AskedItem,
  type OfferedItem,
  getOfferedItem,
} from "./accepted.ts";
import {
  type SharedAnswer,
  type StatusRow,
  type Walk,
  listAnsweredChoices,
  walkRecords,
} from "./by-status-store.ts";
import { listOfferedDays } from "../offers/offers-store.ts";
import { type ListedStatus, type AnswerRun, expiryOf } from "../states/states.ts";

/** Batch size of reading records. */
const BATCH = 1_000;
/** Limit of records examined for a page. */
const RECORDS_MAX = 5 * BATCH;
const DAY_MS = 86_400_000;

/** An answer to one item, or to several items alike, with its run. */
type DatedAnswer = SharedAnswer & Pick<AnswerRun, "since" | "consentId">;
type AnswersByChoice = ReadonlyMap<number, readonly SharedAnswer[]>;

interface StatusQuery extends AskedItem {
  status: ListedStatus;
  now: Date;
}

/**
 * The tokens whose answer to a configuration, or to one of its vendors, has a status now:
 *
 * - `partly`: some of the configuration's vendors are accepted, but not all;
 * - `refused`: nothing is accepted or was accepted before;
 * - `withdrawn`: something that was accepted is refused now;
 * - `expired`: an answer has expired, at `since`.
 *
 * Expired answers count for no other status. Superseded answers count. Scans the configuration's records by an index,
 * for `expired` oldest first, otherwise newest first, and returns each token at the record that determines its status.
 * Pages have the same cost at any depth. A page may have fewer tokens than `limit` and still have a `next`.
 * @throws Fault not-found if the project never offered it, invalid for a cursor of another list, and for `partly` of a
 *   vendor
 */
export async function listByStatus(
  planes: Planes,
  query: StatusQuery,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CursorPage<AcceptedToken>> {
  const { status, now } = query;
  const [after] = parseCursor(cursor, 1) ?? [];
  if (after !== undefined && !uuidPattern.test(after)) throw toCursorFault();
  const item = await getOfferedItem(planes, query, undefined);
  if (!item) return { items: [], next: undefined };
  if (status === "partly" && item.item !== "") throw toPartlyFault();
  const choices = await listAnsweredChoices(planes.data, item);
  const bounds = await findBounds(planes.data, item, { choices, query });
  if (!bounds) return { items: [], next: undefined };
  const order = status === "expired" ? "asc" : "desc";
  const items: AcceptedToken[] = [];
  let place = after;
  for (let seen = 0; seen < RECORDS_MAX; seen += BATCH) {
    const rows = await walkRecords(planes.data, item, {
      order,
      after: place,
      bounds,
      limit: BATCH,
    });
    for (const row of rows) {
      const found = toFound(row, toDatedAnswers(row, choices), { status, now });
      // The next page starts with this record.
      if (found && items.length === limit)
        return { items, next: place === undefined ? undefined : toCursor([place]) };
      if (found) items.push(found);
      place = row.id;
    }
    if (rows.length < BATCH) return { items, next: undefined };
  }
  return { items, next: place === undefined ? undefined : toCursor([place]) };
}

/**
 * The range of records whose answers can have expired, or can still be valid. Records newer than the shortest expiry
 * period have not expired; records older than the longest have. Undefined: no answer ever expires.
 */
async function findBounds(
  db: DataDb,
  item: OfferedItem,
  { choices, query: { status, now } }: { choices: AnswersByChoice; query: StatusQuery },
): Promise<Walk["bounds"] | undefined> {
  const known = [...choices.values()].flat().map(({ days }) => days);
  const days = [...known.filter((one) => one !== null), ...(await listOfferedDays(db, item))];
  const ago = (count: number) => firstIdAt(new Date(now.getTime() - count * DAY_MS));
  if (status !== "expired") {
    const lasts = known.includes(null) || days.length === 0;
    return lasts ? {} : { from: ago(Math.max(...days)) };
  }
  // Includes answers of exactly that instant, which have expired, too.
  return days.length === 0
    ? undefined
    : { to: idAfter(new Date(Number(now) - Math.min(...days) * DAY_MS)) };
}

/** The token of a record, if this record determines that the token has the status. */
function toFound(
  { id, token }: StatusRow,
  answers: readonly DatedAnswer[],
  { status, now }: Pick<StatusQuery, "status" | "now">,
): AcceptedToken | undefined {
  const isExpired = (one: DatedAnswer) => isExpiredAt(one, now);
  const matching =
    status === "expired"
      ? answers.filter(isExpired)
      : selectMatching(
          status,
          answers.filter((one) => !isExpired(one)),
        );
  const ids = matching.map(({ consentId }) => consentId).toSorted();
  const [oldest = "", newest = oldest] = [ids[0], ids.at(-1)];
  if (token === null || id !== (status === "expired" ? oldest : newest)) return undefined;
  const since =
    status === "expired"
      ? Math.min(...matching.flatMap((one) => expiryOf(one)?.getTime() ?? []))
      : Math.max(...matching.map((one) => one.since.getTime()));
  return { token, since: new Date(since), consentId: newest };
}

/** The requested answers of a state. */
function toDatedAnswers(row: StatusRow, choices: AnswersByChoice): DatedAnswer[] {
  const { choice, runs, since, consent_id: consentId } = row;
  if (runs) return runs.map((run) => ({ ...run, since: new Date(run.since) }));
  const answered = choice === null ? undefined : choices.get(choice);
  if (!answered || since === null || consentId === null) return [];
  return answered.map((one) => ({ ...one, since, consentId }));
}

function isAccepted({ answer }: SharedAnswer): boolean {
  return answer === "accepted";
}

/** The answers that result in this status; none if the answers have another one. */
function selectMatching<T extends SharedAnswer>(
  status: Exclude<ListedStatus, "expired">,
  answers: readonly T[],
): readonly T[] {
  const withdrawn = answers.filter(({ answer }) => answer === "withdrawn");
  if (status === "withdrawn") return withdrawn;
  if (status === "refused")
    return withdrawn.length === 0 && !answers.some(isAccepted) ? answers : [];
  const vendors = answers.filter(({ isWhole }) => !isWhole);
  return vendors.some(isAccepted) && !vendors.every(isAccepted) ? vendors : [];
}

function isExpiredAt(given: DatedAnswer, now: Date): boolean {
  const expiry = expiryOf(given);
  return expiry !== null && expiry <= now;
}

function toPartlyFault(): Fault {
  const message = "applies to a configuration as a whole, not to a vendor";
  return new Fault("invalid", `status: partly ${message}`, {
    faults: [{ path: "/status", message }],
  });
}
