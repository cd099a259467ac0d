import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** The database, for reads and to begin transactions. */
export type Db = Kysely<Tables>;

/** An open transaction. Every write takes one, so that it cannot run outside. */
export type Tx = Transaction<Tables>;
