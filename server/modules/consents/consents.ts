import type { Ctx } from "../../platform/ctx.ts";
import type { Db } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import type { NewConsentId } from "../../platform/ids.ts";
import { type OfferedConfiguration, findOffered } from "./offered.ts";
import { toAnswer, toRecord } from "./records.ts";
import type { ConsentIn } from "./schema.ts";
import { type StateChange, toRounds, toStateChanges } from "./states.ts";
import { type TokenChange, writeConsents } from "./states-store.ts";
import type { NewConsent } from "./store.ts";

/** What collection needs beside its context. */
export interface Collector {
  newConsentId: NewConsentId;
}

/** What the routes of /app need. */
export interface ConsentsApp extends Collector {
  db: Db;
  now: () => Date;
  publicUrl: string;
}

/**
 * Keeps one answer of a visitor, and what it changes: one look-up, one statement that writes.
 * @throws Fault not-found when the project or its configuration is not there, or is of another
 *   collection; invalid for a body that its schema could not refuse
 */
export async function collectConsent(
  ctx: Ctx,
  { newConsentId }: Collector,
  given: {
    projectId: string;
    collection: string;
    identifier: string;
    userAgent: string;
    body: ConsentIn;
  },
): Promise<NewConsent> {
  const { projectId, identifier, userAgent } = given;
  const answer = toAnswer(given.body);
  const offered = await getOffered(ctx, projectId, [identifier]);
  const configuration = getConfiguration(offered, given);
  const id = newConsentId(ctx.now);
  const record = toRecord(answer, configuration, {
    projectId,
    id,
    clientId: null,
    userAgent,
    now: ctx.now,
  });
  await keepRecords(ctx, {
    projectId,
    records: [record],
    inserted: false,
    changes: toStateChanges(record, configuration),
  });
  return record;
}

/** What the named configurations of a project offer. Throws `Fault` (not-found) without the project. */
export async function getOffered(
  ctx: Pick<Ctx, "tx">,
  projectId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, OfferedConfiguration>> {
  const offered = await findOffered(ctx.tx, { projectId, identifiers });
  if (!offered) throw new Fault("not-found", `There is no project ${projectId}.`);
  return offered;
}

/** The configuration that an answer names, of the right collection. Throws `Fault` (not-found). */
export function getConfiguration(
  offered: ReadonlyMap<string, OfferedConfiguration>,
  { collection, identifier }: { collection: string; identifier: string },
): OfferedConfiguration {
  const configuration = offered.get(identifier);
  if (configuration?.collection === collection) return configuration;
  throw new Fault(
    "not-found",
    `The project has nothing named ${identifier} among its ${collection}.`,
  );
}

/** Writes records of one project, in the order of their ids, with the tokens and states that they change. */
export async function keepRecords(
  ctx: Pick<Ctx, "tx">,
  kept: {
    projectId: string;
    records: readonly NewConsent[];
    /** Whether the records themselves are there already. */
    inserted: boolean;
    changes: readonly StateChange[];
  },
): Promise<void> {
  const { projectId, records, inserted, changes } = kept;
  for (const [round, states] of toRounds(changes).entries())
    await writeConsents(ctx.tx, {
      projectId,
      records: inserted || round > 0 ? [] : records,
      tokens: toTokenChanges(records).map((t) => (round === 0 ? t : { ...t, consents: 0 })),
      states,
    });
}

function toTokenChanges(records: readonly NewConsent[]): TokenChange[] {
  const tokens = new Map<string, TokenChange>();
  for (const { token, createdAt } of records)
    tokens.set(token, {
      token,
      seenAt: createdAt,
      consents: (tokens.get(token)?.consents ?? 0) + 1,
    });
  return [...tokens.values()];
}
