import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

/** The database: reads, and the opening of transactions. */
export type Db = Kysely<Tables>;

/** An open transaction: what every write takes, so that it cannot be called outside one. */
export type Tx = Transaction<Tables>;
