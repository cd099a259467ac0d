import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";
import type { Place } from "./offer.ts";
import type { State } from "./states.ts";

export type TokenRow = Selectable<Tables["tokens"]>;

interface Window {
  limit: number;
  /** The token after which to go on. */
  after: string | undefined;
}

/** Tokens of a project in their order (by bytes), those from `from` up to `to` exclusive. */
export async function listTokenRows(
  db: Db,
  bounds: { projectId: string; from: string; to: string | undefined },
  { limit, after }: Window,
): Promise<TokenRow[]> {
  return db
    .selectFrom("tokens")
    .selectAll()
    .where("project_id", "=", bounds.projectId)
    .where("token", ">=", bounds.from)
    .$if(bounds.to !== undefined, (q) => q.where("token", "<", bounds.to ?? ""))
    .$if(after !== undefined, (q) => q.where("token", ">", after ?? ""))
    .orderBy("token")
    .limit(limit)
    .execute();
}

/** States of a token in a project from a place on, in the order of identifiers and items. */
export async function listStates(
  db: Db,
  { projectId, token }: { projectId: string; token: string },
  { from, limit }: { from: Place; limit: number },
): Promise<State[]> {
  return db
    .selectFrom("consent_states")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("token", "=", token)
    .where(sql<boolean>`(identifier, item) >= (${from.identifier}, ${from.item})`)
    .orderBy("identifier")
    .orderBy("item")
    .limit(limit)
    .execute();
}

export interface Accepted {
  projectId: string;
  identifier: string;
  item: string;
  /** What has to have been agreed to: other acceptances are superseded. */
  substance: string;
}

export interface AcceptedRow {
  token: string;
  since: Date;
  consent_id: string;
}

/** The tokens that accept, as of `now`, by an index that holds no others. */
export async function listAcceptedRows(
  db: Db,
  { projectId, identifier, item, substance }: Accepted,
  { limit, after, now }: Window & { now: Date },
): Promise<AcceptedRow[]> {
  return db
    .selectFrom("consent_states")
    .select(["token", "since", "consent_id"])
    .where("project_id", "=", projectId)
    .where("identifier", "=", identifier)
    .where("item", "=", item)
    .where("substance", "=", substance)
    .where(sql<boolean>`accept`)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .$if(after !== undefined, (q) => q.where("token", ">", after ?? ""))
    .orderBy("token")
    .limit(limit)
    .execute();
}
