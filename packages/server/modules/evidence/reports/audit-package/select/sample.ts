import { randomBytes } from "node:crypto";
import type { Db } from "../../../../../platform/db/db.ts";
import { type FieldFault, Fault, assertNoFaults } from "../../../../../platform/errors.ts";
import { idAfter, timeOfId } from "../../../../../kernel/ids.ts";
import { awaitHorizon } from "../../../../consents/read/horizon.ts";
import { toFilter } from "../../../../consents/read/registry.ts";
import {
  type Selection,
  drawSample,
  listSelectedIds,
} from "../../../../consents/records/selected.ts";
import { CONSENTS_MAX, type DossierQueryIn } from "./schema.ts";

/** Ids that are looked at for one sample: some seconds. */
const POPULATION_MAX = 2_000_000;

/** How the consents of a dossier were chosen, as its index tells it. */
type Method =
  | { kind: "person"; token: string }
  | { kind: "period" }
  | {
      kind: "sample";
      seed: string;
      /** Whether the seed was made here, and not given by who asked. */
      isOwnSeed: boolean;
      size: number;
      population: number;
    };

/** The consents of a dossier. */
export interface Choice {
  method: Method;
  /** Undefined: from the first one on. */
  from: Date | undefined;
  /** Exclusive. */
  to: Date;
  /** Oldest first. */
  ids: string[];
}

/**
 * What a query asks for, once it is sure that all of its consents are there: what was being collected
 * is waited for, ten seconds at most, and is left out after that: then `to` is earlier than asked.
 * @throws Fault impossible for more consents than a dossier holds
 */
export async function chooseConsents(
  db: Db,
  asked: { projectId: string; query: DossierQueryIn },
  { now, signal, marginMs }: { now: Date; signal: AbortSignal; marginMs: number },
): Promise<Choice> {
  const { projectId, query } = asked;
  const { token, sample } = query;
  const { from, to: until } = toFilter(projectId, toPeriod(query));
  const latest = idAfter(now);
  const asOf = until !== undefined && until < latest ? until : latest;
  const to = await awaitHorizon(db, asOf, { signal, marginMs });
  const selection: Selection = { projectId, token, from, to };
  const period = { from: from === undefined ? undefined : timeOfId(from), to: timeOfId(to) };
  if (sample !== undefined) {
    const seed = query.seed ?? randomBytes(16).toString("hex");
    const drawing = { seed, size: sample, populationMax: POPULATION_MAX, signal };
    const { ids, population } = await drawSample(db, selection, drawing);
    const isOwnSeed = query.seed === undefined;
    const method = { kind: "sample", seed, isOwnSeed, size: ids.length, population } as const;
    return { method, ...period, ids };
  }
  const ids = await listSelectedIds(db, selection, CONSENTS_MAX + 1);
  if (ids.length > CONSENTS_MAX) throw toTooMany(token);
  const method: Method = token === undefined ? { kind: "period" } : { kind: "person", token };
  return { method, ...period, ids };
}

function toPeriod({ start, end }: DossierQueryIn) {
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** Throws `Fault` (invalid) for a query that does not name a person, a sample or a period, or more than one. */
export function assertOneThing({ token, sample, seed, start, end }: DossierQueryIn): void {
  const faults: FieldFault[] = [];
  const isPeriod = start !== undefined || end !== undefined;
  if (token !== undefined && sample !== undefined)
    faults.push({ path: "?sample", message: "cannot be asked for together with a token" });
  if (token === undefined && sample === undefined && !isPeriod)
    faults.push({
      path: "?token",
      message: "is missing: ask for a token, a sample, or a period by start and end",
    });
  if (seed !== undefined && sample === undefined)
    faults.push({ path: "?seed", message: "is for a sample only" });
  if (start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end))
    faults.push({ path: "?end", message: "has to be after start" });
  assertNoFaults(faults);
}

function toTooMany(token: string | undefined): Fault {
  const most = CONSENTS_MAX.toLocaleString("en");
  const sampled = token === undefined ? ", or ask for a sample of it" : "";
  const message = `has more than ${most} consents: narrow it by start and end${sampled}`;
  const [what, path] = token === undefined ? ["The period", "?start"] : ["This token", "?token"];
  return new Fault("impossible", `${what} ${message}.`, { faults: [{ path, message }] });
}
