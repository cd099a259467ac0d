import type { Db } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import type { FindUses } from "./assets.ts";
import type { Pictures } from "./child/pool.ts";
import type { Renders } from "./renders/renders.ts";
import type { Spool } from "./storage/spool.ts";

/** What assets are made of; handed down by the composition root. */
export interface AssetsApp {
  db: Db;
  jobs: Jobs;
  objects: Objects;
  pictures: Pictures;
  renders: Renders;
  spool: Spool;
  findUses: FindUses;
  /** What one user may keep. */
  userBytesMax: number;
  now: () => Date;
  publicUrl: string;
}
