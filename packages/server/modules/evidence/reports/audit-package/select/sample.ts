import { randomBytes } from "node:crypto";
import { toInstants } from "@avow/contract/instants";
import type { DataDb } from "../../../../../platform/db/db.ts";
import { type FieldFault, Fault, assertNoFaults } from "../../../../../platform/errors.ts";
import { idAfter, timeOfId } from "../../../../../kernel/ids.ts";
import { awaitHorizon } from "../../../../consents/read/horizon.ts";
import { toFilter } from "../../../../consents/read/registry.ts";
import {
  type Selection,
  drawSample,
  listSelectedIds,
} from "../../../../consents/records/selected.ts";
import { CONSENTS_MAX, type AuditPackageQueryIn } from "./schema.ts";

/** Maximum records to sample from: ranking this many takes some seconds. */
const POPULATION_MAX = 2_000_000;

/** How the consents of an audit package were selected. */
type Method =
  | { kind: "person"; token: string }
  | { kind: "period" }
  | {
      kind: "sample";
      seed: string;
      /** Whether the service generated the seed; otherwise the requester specified it. */
      isOwnSeed: boolean;
      size: number;
      population: number;
    };

/** The consents of an audit package. */
export interface ConsentSelection {
  method: Method;
  /** Undefined: from the first record. */
  from: Date | undefined;
  /** Exclusive. */
  to: Date;
  /** Oldest first. */
  ids: string[];
}

/**
 * Selects the consents of a query. Waits up to ten seconds for consents that are being collected, and leaves them out
 * after that: then `to` is earlier than requested.
 * @throws Fault impossible for more than `CONSENTS_MAX`
 */
export async function selectConsents(
  db: DataDb,
  request: { projectId: string; query: AuditPackageQueryIn },
  { now, signal, marginMs }: { now: Date; signal: AbortSignal; marginMs: number },
): Promise<ConsentSelection> {
  const { projectId, query } = request;
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

function toPeriod({ start, end }: AuditPackageQueryIn) {
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** @throws Fault invalid unless the query names a person, a sample or a period, and only one */
export function assertSingleSelection({
  token,
  sample,
  seed,
  start,
  end,
}: AuditPackageQueryIn): void {
  const faults: FieldFault[] = [];
  const isPeriod = start !== undefined || end !== undefined;
  if (token !== undefined && sample !== undefined)
    faults.push({ path: "?sample", message: "cannot be combined with a token" });
  if (token === undefined && sample === undefined && !isPeriod)
    faults.push({
      path: "?token",
      message: "is missing: pass a token, a sample, or a period by start and end",
    });
  if (seed !== undefined && sample === undefined)
    faults.push({ path: "?seed", message: "requires a sample" });
  const isReversed =
    start !== undefined && end !== undefined && toInstants(start).first >= toInstants(end).end;
  if (isReversed) faults.push({ path: "?end", message: "must be after start" });
  assertNoFaults(faults);
}

function toTooMany(token: string | undefined): Fault {
  const most = CONSENTS_MAX.toLocaleString("en");
  const sampled = token === undefined ? ", or request a sample of it" : "";
  const message = `has more than ${most} consents: narrow it by start and end${sampled}`;
  const [what, path] = token === undefined ? ["The period", "?start"] : ["This token", "?token"];
  return new Fault("impossible", `${what} ${message}.`, { faults: [{ path, message }] });
}
