import type { Db } from "../../platform/db/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
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
  return firstIdAt(new Date(ms));
}
