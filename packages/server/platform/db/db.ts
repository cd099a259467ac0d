import type { Kysely, Transaction } from "kysely";
import type { DataTables } from "./tables-data.ts";
import type { ControlTables } from "./tables.ts";

/** The control plane, for reads and to begin transactions. */
export type Db = Kysely<ControlTables>;

/** An open transaction of the control plane. Every write takes one, so that it cannot run outside. */
export type Tx = Transaction<ControlTables>;

/**
 * A bucket of the data plane: consents, their evidence and what is counted of them, of some projects or of all. Tables of
 * the whole installation, such as the log's, are read through any bucket. It may be in another database than the control
 * plane.
 */
export type DataDb = Kysely<DataTables>;

/** An open transaction of the data plane. No transaction spans both planes. */
export type DataTx = Transaction<DataTables>;

/** The connections that the work on one project needs; with one database, of one pool. */
export interface Planes {
  db: Db;
  data: DataDb;
}
