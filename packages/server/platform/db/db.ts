import type { Kysely, Transaction } from "kysely";
import type { DataTables } from "./tables-data.ts";
import type { ControlTables } from "./tables.ts";

/** The control plane, for reads and to begin transactions. */
export type Db = Kysely<ControlTables>;

/** An open transaction of the control plane. Every write takes one, so that it cannot run outside. */
export type Tx = Transaction<ControlTables>;

/** The data plane: consents, their evidence and what is counted of them. It may be another database. */
export type DataDb = Kysely<DataTables>;

/** An open transaction of the data plane. No transaction spans both planes. */
export type DataTx = Transaction<DataTables>;

/** Connections to both planes; with one database, of one pool. */
export interface Planes {
  db: Db;
  data: DataDb;
}
