import type { Db } from "../../platform/db/db.ts";
import { findCollectingSince } from "./horizon-store.ts";

/**
 * How long before its transaction a record's id may have been made: the wait for a place in a group,
 * and what the clocks of the nodes and of the database differ by.
 */
const MARGIN_MS = 2_000;

/**
 * The id below which no record will be collected any more (exclusive): who reads up to it in the
 * order of ids misses nothing and may go on from it. Ids are made shortly before their records are
 * there, so the horizon lies two seconds before the oldest collecting transaction. Imports are
 * another matter: they add records of earlier times.
 */
export async function findHorizon(db: Db): Promise<string> {
  const ms = (await findCollectingSince(db)).getTime() - MARGIN_MS;
  // The lowest UUID version 7 of that millisecond (RFC 9562 section 5.7).
  const hex = Math.max(Math.ceil(ms), 0).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
