import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";
import type { State } from "./states.ts";

export type TokenRow = Selectable<Tables["tokens"]>;

/** A state, and what its item was called in the version that was shown. */
export type NamedState = State & { name: string | null };

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

/** Every state of a token in a project. */
export async function listStates(
  db: Db,
  { projectId, token }: { projectId: string; token: string },
): Promise<NamedState[]> {
  return db
    .selectFrom("consent_states as s")
    .leftJoin("offers as o", (join) =>
      join
        .onRef("o.project_id", "=", "s.project_id")
        .onRef("o.version", "=", "s.version")
        .onRef("o.identifier", "=", "s.identifier")
        .onRef("o.item", "=", "s.item"),
    )
    .selectAll("s")
    .select("o.name")
    .where("s.project_id", "=", projectId)
    .where("s.token", "=", token)
    .orderBy("s.identifier")
    .orderBy("s.item")
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
