import type { FastifyBaseLogger } from "fastify";
import type { Pooling } from "../connections/session.ts";
import type { DataDb } from "../db.ts";
import { openDataDatabase } from "../open.ts";
import { type Buckets, openBuckets } from "./buckets.ts";

/** Fewest connections to a bucket, so that one long read does not delay the others. */
const POOL_MIN = 4;

interface DataPlaneOptions {
  /** The connections to the data plane, which are those of the home bucket. */
  home: DataDb;
  dataUrl: string;
  poolMax: number;
  queueMax: number;
  pooling?: Pooling;
  log: Pick<FastifyBaseLogger, "warn">;
  /** Gives the connections what all reads of records need. */
  attach: (data: DataDb) => DataDb;
  /** Default: no project is placed, as commands do. */
  hasProject?: (projectId: string) => Promise<boolean>;
}

/** Opens all buckets of the data plane. Each has its share of `poolMax` connections, and 4 at least. */
export async function openDataPlane(options: DataPlaneOptions): Promise<Buckets> {
  const { home, dataUrl: url, poolMax, log, attach } = options;
  const directory = openDataDatabase({ ...options, url, poolMax: 1 });
  await using opening = new AsyncDisposableStack();
  opening.defer(() => directory.destroy());
  const buckets = await openBuckets({
    home: attach(home),
    directory,
    hasProject: options.hasProject ?? (async () => false),
    onError: (err) => log.warn({ err }, "buckets not refreshed, will retry"),
    open(schema, count) {
      const share = Math.max(POOL_MIN, Math.ceil(poolMax / count));
      const data = openDataDatabase({ ...options, url, schema, poolMax: share });
      return { data: attach(data), close: () => data.destroy() };
    },
  });
  opening.use(buckets);
  const opened = opening.move();
  return { ...buckets, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
