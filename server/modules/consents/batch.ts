import type { Ctx } from "../../platform/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { type Collector, getConfiguration, getOffered, keepRecords } from "./consents.ts";
import type { OfferedConfiguration } from "./offered.ts";
import { type Answer, isSameAnswer, toAnswer, toKeptRecord, toRecord } from "./records.ts";
import type { BatchItemIn } from "./schema.ts";
import { type StateChange, toStateChanges } from "./states.ts";
import { type NewConsent, insertNewConsents, listByClientId } from "./store.ts";

/** One batch names so many configurations, each of up to 1,000 vendors, … */
const CONFIGURATIONS_MAX = 20;
/** … and changes so many states: anybody may send one, and a few bytes may answer for many vendors. */
const CHANGES_MAX = 20_000;

interface Batch {
  projectId: string;
  userAgent: string;
  /** In the order they came; a `Fault` for what could not be read. */
  items: readonly (BatchItemIn | Fault)[];
}

/** An item that can be kept, and what would be kept of it. */
interface Candidate {
  item: BatchItemIn;
  answer: Answer;
  record: NewConsent;
  changes: readonly StateChange[];
}

/**
 * Keeps the answers that a client queued, each once whatever is sent again: one result for each in
 * order, its record or what is wrong with it. One bad item never keeps back its neighbours; what
 * goes beyond the work of one batch is too large, and what follows it too, since the last one counts.
 * @throws Fault not-found when the project is not there
 */
export async function collectBatch(
  ctx: Ctx,
  collector: Collector,
  batch: Batch,
): Promise<(NewConsent | Fault)[]> {
  const identifiers = batch.items.flatMap((item) =>
    item instanceof Fault ? [] : [item.identifier],
  );
  const named = [...new Set(identifiers)].slice(0, CONFIGURATIONS_MAX);
  const offered = await getOffered(ctx, batch.projectId, named);
  const lookedUp = new Set(named);
  let changes = 0;
  const read = batch.items.map((item) => {
    if (item instanceof Fault) return item;
    if (!lookedUp.has(item.identifier))
      return toTooLarge(`names more than ${CONFIGURATIONS_MAX} configurations`);
    if (changes > CHANGES_MAX) return toTooLarge(`changes more than ${CHANGES_MAX} states`);
    const candidate = readItem(item, offered, { ctx, collector, batch });
    if (candidate instanceof Fault) return candidate;
    changes += candidate.changes.length;
    if (changes > CHANGES_MAX) return toTooLarge(`changes more than ${CHANGES_MAX} states`);
    return candidate;
  });
  const kept = await keepCandidates(ctx, batch.projectId, read);
  return read.map((candidate) => {
    if (candidate instanceof Fault) return candidate;
    const { item, answer } = candidate;
    const record = kept.get(item.id);
    if (record && isSameAnswer(record, answer, item)) return record;
    return new Fault("impossible", `The id ${item.id} was used for another consent.`);
  });
}

function toTooLarge(what: string): Fault {
  return new Fault("too-large", `This batch ${what}: send this one again in a smaller batch.`);
}

function readItem(
  item: BatchItemIn,
  offered: ReadonlyMap<string, OfferedConfiguration>,
  { ctx, collector, batch }: { ctx: Ctx; collector: Collector; batch: Batch },
): Candidate | Fault {
  try {
    const answer = toAnswer(item);
    const configuration = getConfiguration(offered, item);
    const record = toRecord(answer, configuration, {
      projectId: batch.projectId,
      id: collector.newConsentId(ctx.now),
      clientId: item.id,
      userAgent: batch.userAgent,
      now: ctx.now,
    });
    return { item, answer, record, changes: toStateChanges(record, configuration) };
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Keeps the first candidate of each client id that is new; answers the record of every client id. */
async function keepCandidates(
  ctx: Ctx,
  projectId: string,
  read: readonly (Candidate | Fault)[],
): Promise<ReadonlyMap<string, NewConsent>> {
  const candidates = new Map<string, Candidate>();
  for (const candidate of read)
    if (!(candidate instanceof Fault) && !candidates.has(candidate.item.id))
      candidates.set(candidate.item.id, candidate);
  const all = [...candidates.values()];
  if (all.length === 0) return new Map();
  const inserted = await insertNewConsents(
    ctx.tx,
    all.map(({ record }) => record),
  );
  const fresh = all.filter(({ record }) => inserted.has(record.id));
  const known = all.filter(({ record }) => !inserted.has(record.id)).map(({ item }) => item.id);
  if (fresh.length > 0)
    await keepRecords(ctx, {
      projectId,
      records: fresh.map(({ record }) => record),
      inserted: true,
      changes: fresh.flatMap(({ changes }) => changes),
    });
  const earlier = await listByClientId(ctx.tx, { projectId, clientIds: known });
  const records = [...fresh.map(({ record }) => record), ...earlier.map(toKeptRecord)];
  return new Map(records.map((record) => [record.clientId ?? "", record]));
}
