import type { Db } from "../../../platform/db/db.ts";
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

/** Records that are read at once. */
const STRETCH = 1_000;
/** A page looks at so many records at most, whatever it finds among them. */
const RECORDS_MAX = 5 * STRETCH;
const DAY_MS = 86_400_000;

/** An answer to one item, or to several that were answered alike. */
type DatedAnswer = SharedAnswer & Pick<AnswerRun, "since" | "consentId">;
type AnswersByChoice = ReadonlyMap<number, readonly SharedAnswer[]>;

interface StatusQuery extends AskedItem {
  status: ListedStatus;
  now: Date;
}

/**
 * The tokens whose answer to a configuration or to one of its vendors is in a state now:
 *
 * - `partly`: some of a configuration's vendors are accepted, not all;
 * - `refused`: nothing is accepted, nor was it before;
 * - `withdrawn`: something that was accepted is not any more, whatever else still is;
 * - `expired`: an answer has come to its end, `since` then.
 *
 * What has expired counts for no other state. What is asked for differently by now still counts. They are found by
 * walking through the configuration's records, which have an index: those that expired the oldest first, the others
 * the newest first, each token at the record that makes it so. Pages cost the same at any depth; one may be short of
 * tokens where few records fit, and goes on as long as there is a `next`.
 * @throws Fault not-found when the project never offered it, invalid for a cursor of another list, and for `partly` of
 *   a vendor
 */
export async function listByStatus(
  db: Db,
  asked: StatusQuery,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CursorPage<AcceptedToken>> {
  const { status, now } = asked;
  const [after] = parseCursor(cursor, 1) ?? [];
  if (after !== undefined && !uuidPattern.test(after)) throw toCursorFault();
  const item = await getOfferedItem(db, asked, undefined);
  if (!item) return { items: [], next: undefined };
  if (status === "partly" && item.item !== "") throw toPartlyFault();
  const choices = await listAnsweredChoices(db, item);
  const bounds = await findBounds(db, item, { choices, asked });
  if (!bounds) return { items: [], next: undefined };
  const order = status === "expired" ? "asc" : "desc";
  const items: AcceptedToken[] = [];
  let place = after;
  for (let seen = 0; seen < RECORDS_MAX; seen += STRETCH) {
    const rows = await walkRecords(db, item, { order, after: place, bounds, limit: STRETCH });
    for (const row of rows) {
      const found = toFound(row, toDatedAnswers(row, choices), { status, now });
      // There is a next page: it begins after the record before this one.
      if (found && items.length === limit)
        return { items, next: place === undefined ? undefined : toCursor([place]) };
      if (found) items.push(found);
      place = row.id;
    }
    if (rows.length < STRETCH) return { items, next: undefined };
  }
  return { items, next: place === undefined ? undefined : toCursor([place]) };
}

/**
 * Of which records an answer can have expired, or can stand: nothing newer than the shortest time that any answer
 * lasts has expired, everything older than the longest has. Undefined: nothing ever expires.
 */
async function findBounds(
  db: Db,
  item: OfferedItem,
  { choices, asked: { status, now } }: { choices: AnswersByChoice; asked: StatusQuery },
): Promise<Walk["bounds"] | undefined> {
  const known = [...choices.values()].flat().map(({ days }) => days);
  const days = [...known.filter((one) => one !== null), ...(await listOfferedDays(db, item))];
  const ago = (count: number) => firstIdAt(new Date(now.getTime() - count * DAY_MS));
  if (status !== "expired") {
    const lasts = known.includes(null) || days.length === 0;
    return lasts ? {} : { from: ago(Math.max(...days)) };
  }
  // An answer of that very instant has expired, too.
  return days.length === 0
    ? undefined
    : { to: idAfter(new Date(Number(now) - Math.min(...days) * DAY_MS)) };
}

/** The token of a record, where that is the one that makes its state what is asked for. */
function toFound(
  { id, token }: StatusRow,
  given: readonly DatedAnswer[],
  { status, now }: Pick<StatusQuery, "status" | "now">,
): AcceptedToken | undefined {
  const isExpired = (one: DatedAnswer) => isExpiredAt(one, now);
  const matching =
    status === "expired"
      ? given.filter(isExpired)
      : selectMatching(
          status,
          given.filter((one) => !isExpired(one)),
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

/** What a state says of what is asked for. */
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

/** Those of the answers that make it so, none where it is not. */
function selectMatching<T extends SharedAnswer>(
  status: Exclude<ListedStatus, "expired">,
  given: readonly T[],
): readonly T[] {
  const withdrawn = given.filter(({ answer }) => answer === "withdrawn");
  if (status === "withdrawn") return withdrawn;
  if (status === "refused") return withdrawn.length === 0 && !given.some(isAccepted) ? given : [];
  const vendors = given.filter(({ isWhole }) => !isWhole);
  return vendors.some(isAccepted) && !vendors.every(isAccepted) ? vendors : [];
}

function isExpiredAt(given: DatedAnswer, now: Date): boolean {
  const expiry = expiryOf(given);
  return expiry !== null && expiry <= now;
}

function toPartlyFault(): Fault {
  const message = "is of a configuration as a whole, not of a vendor";
  return new Fault("invalid", `status: partly ${message}`, {
    faults: [{ path: "/status", message }],
  });
}
