import type { Pool, PoolClient } from "pg";
import type { DataDb } from "../../../platform/db/db.ts";
import { isDatabaseUnavailable } from "../../../platform/db/open.ts";
import { Fault, codeOf } from "../../../platform/errors.ts";
import type { Tracing } from "../../../platform/telemetry/tracing.ts";
import type { NewConsentId } from "../../../kernel/ids.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import type { CommitKnown } from "../ports.ts";
import { foldGroup } from "./group-fold.ts";
import { toGroupRows } from "./group-rows.ts";
import {
  awaitReplication,
  deleteExpiredKeys,
  readClock,
  readKeys,
  readStates,
  writeGroup,
} from "./group-store.ts";
import { toHistoryName } from "../states/fold.ts";
import type { LiveOffers } from "../offers/live-offers.ts";
import { createMonthPartitions } from "../records/months-store.ts";
import { type CollectedConsent, type Pending, toKeyFault } from "./pending.ts";
import { toRecord } from "../records/row.ts";
import type { State } from "../states/states.ts";
import { toState } from "../states/states-store.ts";
import { listByIds } from "../records/store.ts";
import { USED_TICKET } from "./redeemable-tickets.ts";

export type Outcome = CollectedConsent | Error;

/** Dependencies of writing a group. */
export interface GroupWriter {
  pool: Pool;
  db: DataDb;
  now: () => Date;
  newConsentId: NewConsentId;
  choices: AnswerCombinations;
  live: LiveOffers;
  commit: CommitKnown;
  tracing: Tracing | undefined;
  /** See `Intervals.collectingMs`. */
  marginMs: number;
}

/** Retries of a whole group before it is split, and of a single consent before it fails. */
const RETRIES_MAX = 3;
const LAST_RETRIES_MAX = 8;
/** Deadlock; data changed since it was read; a concurrent group wrote the same key or token. */
const transientCodes = new Set(["40P01", "40001", "23505"]);
const NO_PARTITION = "23514";

/**
 * Writes a group of consents, each exactly once. A consent that fails does not affect the others. The first attempt
 * is one statement that relies on cached data; the next reads and locks all data again; after that, the group is
 * split into halves.
 */
export async function writeConsents(
  writer: GroupWriter,
  group: readonly Pending[],
): Promise<ReadonlyMap<Pending, Outcome>> {
  const outcomes = new Map<Pending, Outcome>();
  const repeats = await writeFirsts(writer, group, outcomes);
  // If a key occurs twice in one group, the second consent gets the result of the first.
  if (repeats.length > 0) await writeLocked(writer, repeats, outcomes);
  return outcomes;
}

/** Writes the first consent of each key; returns the others. */
async function writeFirsts(
  writer: GroupWriter,
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
): Promise<Pending[]> {
  const keys = new Set<string>();
  // Equal keys of different projects count as repeats here; the look-up distinguishes them.
  const isRepeat = ({ key }: Pending) => !!key && keys.size === keys.add(key.hash).size;
  const repeats = group.filter(isRepeat);
  const firsts = repeats.length > 0 ? group.filter((one) => !repeats.includes(one)) : group;
  try {
    await writeUnlocked(writer, firsts, outcomes);
  } catch (error) {
    await recover(writer, firsts, { error, outcomes });
  }
  return repeats;
}

async function writeUnlocked(
  writer: GroupWriter,
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
): Promise<void> {
  const client = await writer.pool.connect();
  let broken: Error | undefined;
  try {
    await writeOnce(writer, client, group, { lock: false, outcomes });
  } catch (error) {
    if (error instanceof Error && isDatabaseUnavailable(error)) broken = error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Recovers from an attempt that wrote nothing. */
async function recover(
  writer: GroupWriter,
  group: readonly Pending[],
  { error, outcomes }: { error: unknown; outcomes: Map<Pending, Outcome> },
): Promise<void> {
  const code = codeOf(error);
  if (code === NO_PARTITION) {
    const now = writer.now();
    await attempt(group, outcomes, () => createMonthPartitions(writer.db, now, now));
  } else if (!transientCodes.has(code)) {
    if (isDatabaseUnavailable(error) || group.length === 1) return failAll(group, error, outcomes);
    return writeHalves(writer, group, outcomes);
  }
  await writeLocked(
    writer,
    group.filter((one) => !outcomes.has(one)),
    outcomes,
  );
}

async function writeHalves(
  writer: GroupWriter,
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
): Promise<void> {
  const middle = Math.ceil(group.length / 2);
  await writeLocked(writer, group.slice(0, middle), outcomes);
  await writeLocked(writer, group.slice(middle), outcomes);
}

/** Writes a group after reading again and locking the data that it depends on. */
async function writeLocked(
  writer: GroupWriter,
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
): Promise<void> {
  if (group.length === 0) return;
  const retries = group.length === 1 ? LAST_RETRIES_MAX : RETRIES_MAX;
  for (let retry = 1; ; retry += 1) {
    try {
      await inLockedTransaction(writer, group, outcomes);
      break;
    } catch (error) {
      if (transientCodes.has(codeOf(error)) && retry < retries) continue;
      if (isDatabaseUnavailable(error) || group.length === 1)
        return failAll(group, error, outcomes);
      return writeHalves(writer, group, outcomes);
    }
  }
  // A second consent under one key gets the result of the first.
  const left = group.filter((one) => !outcomes.has(one));
  await writeLocked(writer, left, outcomes);
}

async function inLockedTransaction(
  writer: GroupWriter,
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
): Promise<void> {
  const found = new Map<Pending, Outcome>();
  const fresh = await refresh(writer, group, found);
  const client = await writer.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const left = await answerReplays(writer, client, fresh, found);
    if (left.length > 0) await writeOnce(writer, client, left, { lock: true, outcomes: found });
    if (left.length < fresh.length) await awaitReplication(client);
    await client.query("COMMIT");
  } catch (error) {
    // A connection that cannot roll back is not reused.
    await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
  // Matches by index: `refresh` copies the objects.
  const byKey = new Map(fresh.map((one, index) => [one, group[index]]));
  for (const [one, outcome] of found) outcomes.set(byKey.get(one) ?? one, outcome);
}

/** Copies of the consents with their present configurations. Consents without one get a not-found outcome. */
async function refresh(
  { live }: GroupWriter,
  group: readonly Pending[],
  found: Map<Pending, Outcome>,
): Promise<Pending[]> {
  for (const { projectId, configuration } of group)
    live.forget(projectId, configuration.identifier);
  const fresh: Pending[] = group.map((one) => ({ ...one }));
  for (const [projectId, own] of Map.groupBy(fresh, (one) => one.projectId)) {
    const offered = await findOffered(live, projectId, own);
    for (const one of own) {
      const { identifier, collection } = one.configuration;
      if (offered instanceof Fault) {
        found.set(one, offered);
        continue;
      }
      const configuration = offered.get(identifier);
      if (configuration?.collection === collection) one.configuration = configuration;
      else found.set(one, new Fault("not-found", `The project no longer has ${identifier}.`));
    }
  }
  return fresh;
}

async function findOffered(live: LiveOffers, projectId: string, group: readonly Pending[]) {
  const identifiers = new Set(group.map(({ configuration }) => configuration.identifier));
  try {
    return await live.getOffered(projectId, [...identifiers]);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Settles the consents whose key was used before; returns the others, without tickets that were used before. */
async function answerReplays(
  { db }: GroupWriter,
  client: PoolClient,
  group: readonly Pending[],
  found: Map<Pending, Outcome>,
): Promise<Pending[]> {
  const requested = group.flatMap(({ projectId, key, ticket }) =>
    [key, ticket].flatMap((one) => (one ? [{ projectId, key: one.hash }] : [])),
  );
  if (requested.length > 0) await deleteExpiredKeys(client, requested);
  const rows = requested.length > 0 ? await readKeys(client, requested) : [];
  const used = new Map(rows.map((row) => [nameOf(row.project_id, row.key), row]));
  const keys = new Set<string>();
  const records = await listByIds(
    db,
    rows.map((row) => ({ projectId: row.project_id, id: row.consent_id })),
  );
  const byId = new Map(records.map((row) => [row.id, row]));
  const left = group.filter((one) => {
    if (found.has(one) || !one.key) return !found.has(one);
    const name = nameOf(one.projectId, one.key.hash);
    const row = used.get(name);
    // If a key occurs twice in this group, the second consent is left for the next round.
    if (!row) return keys.size !== keys.add(name).size;
    const record = byId.get(row.consent_id);
    const isSame = row.digest === null || row.digest === one.key.digest;
    found.set(
      one,
      isSame && record
        ? { record: toRecord(record), isReplay: true, answers: undefined }
        : toKeyFault(one.key),
    );
    return false;
  });
  for (const one of left) {
    if (!one.ticket || !used.has(nameOf(one.projectId, one.ticket.hash))) continue;
    one.ticket = undefined;
    one.ticketFault = USED_TICKET;
  }
  return left;
}

function nameOf(projectId: string, hash: string): string {
  return `${projectId} ${hash}`;
}

async function writeOnce(
  writer: GroupWriter,
  client: Pick<PoolClient, "query">,
  group: readonly Pending[],
  { lock, outcomes }: { lock: boolean; outcomes: Map<Pending, Outcome> },
): Promise<void> {
  const stored = await readStored(client, group, lock);
  const now = lock ? await findValidClock(writer, client) : writer.now();
  const fold = foldGroup(group, stored, { newConsentId: writer.newConsentId, now });
  if (lock) writer.choices.forget(fold);
  await writer.choices.assignNumbers(fold);
  const trace = writer.tracing?.findActiveSpan()?.traceparent;
  const { commit, marginMs } = writer;
  await writeGroup(client, { ...toGroupRows(fold, { now, commit }), trace, marginMs });
  for (const { pending, record, answered } of fold.records)
    outcomes.set(pending, { record, isReplay: false, answers: answered.answers });
}

/** This node's clock, or the database's if ids of a slow clock would be rejected as too old. */
async function findValidClock(
  { now, marginMs }: GroupWriter,
  client: Pick<PoolClient, "query">,
): Promise<Date> {
  const [other, own] = [await readClock(client), now()];
  return other.getTime() - own.getTime() > marginMs / 2 ? other : own;
}

/** The stored states of the group's tokens, by `toHistoryName`. */
async function readStored(
  client: Pick<PoolClient, "query">,
  group: readonly Pending[],
  lock: boolean,
): Promise<ReadonlyMap<string, State>> {
  const keys = group.flatMap(({ projectId, token, configuration, isKnownToken }) =>
    isKnownToken ? [{ projectId, token, identifier: configuration.identifier }] : [],
  );
  const rows = keys.length > 0 ? await readStates(client, keys, lock) : [];
  return new Map(rows.map((row) => [toHistoryName(row), toState(row)]));
}

async function attempt(
  group: readonly Pending[],
  outcomes: Map<Pending, Outcome>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    failAll(group, error, outcomes);
  }
}

function failAll(group: readonly Pending[], error: unknown, outcomes: Map<Pending, Outcome>): void {
  const failure = error instanceof Error ? error : new Error(String(error));
  const isTransient = transientCodes.has(codeOf(error));
  const outcome = isTransient
    ? new Fault("busy", "Too many concurrent answers for this token.", { cause: failure })
    : failure;
  for (const one of group) if (!outcomes.has(one)) outcomes.set(one, outcome);
}
