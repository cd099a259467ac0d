import { Fault } from "../../../platform/errors.ts";
import { uuidPattern } from "../../../kernel/ids.ts";
import type { Offer } from "../offers/offer.ts";

/** The snapshot that a reader of an accepted list has seen. */
export interface Snapshot {
  /** All records with lower ids were visible. */
  id: string;
  /** Answers that had expired at this time were left out. */
  instant: Date;
  /** The substances that counted during the reading (see `toSubstances`); several after a publication between pages. */
  substances: readonly string[];
}

/** Number of cursor parts of a snapshot. */
export const SNAPSHOT_PARTS = 3;
const SUBSTANCES_MAX = 16;
const BETWEEN = "+";
/** The end of the year 9999; instants within this distance of 1970 allow date arithmetic. */
const INSTANT_MAX_MS = 253_402_300_799_999;

export function toSnapshotParts({ id, instant, substances }: Snapshot): string[] {
  return [id, instant.toISOString(), substances.join(" ")];
}

/** The inverse of `toSnapshotParts`; undefined for invalid parts. */
export function parseSnapshot(parts: readonly string[]): Snapshot | undefined {
  const [id = "", instant = "", substances = ""] = parts;
  const at = new Date(instant);
  if (!uuidPattern.test(id) || !(Math.abs(at.getTime()) <= INSTANT_MAX_MS)) return undefined;
  return { id, instant: at, substances: substances === "" ? [] : substances.split(" ") };
}

/** The substances whose acceptance counts for an offer. */
export function listSubstances({
  substance,
  covers,
}: Pick<Offer, "substance" | "covers">): string[] {
  return [substance, ...covers];
}

/** The same, as one of a snapshot's `substances`. */
export function toSubstances(offer: Pick<Offer, "substance" | "covers">): string {
  return listSubstances(offer).join(BETWEEN);
}

/** All substances of a snapshot. */
export function listSnapshotSubstances({ substances }: Snapshot): string[] {
  return substances.flatMap((text) => text.split(BETWEEN));
}

/**
 * Adds the substances that count now to a snapshot.
 * @throws Fault impossible if they changed too often while the list was read
 */
export function withSubstances(snapshot: Snapshot, substances: string): Snapshot {
  if (snapshot.substances.includes(substances)) return snapshot;
  if (snapshot.substances.length < SUBSTANCES_MAX)
    return { ...snapshot, substances: [...snapshot.substances, substances] };
  const detail =
    "The offer changed too often while this list was read. Read it again from the start.";
  throw new Fault("impossible", detail);
}
