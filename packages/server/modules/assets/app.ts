import type { Db } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import type { FindUses } from "./assets.ts";
import type { Pictures } from "./child/pool.ts";
import type { Renders } from "./renders/renders.ts";
import type { Spool } from "./storage/spool.ts";

/** Dependencies of assets, from the composition root. */
export interface AssetsApp {
  db: Db;
  jobs: Jobs;
  objects: Objects;
  pictures: Pictures;
  renders: Renders;
  spool: Spool;
  findUses: FindUses;
  /** Maximum bytes that one user may store. */
  userBytesMax: number;
  now: () => Date;
  publicUrl: string;
}
