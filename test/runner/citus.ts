import { migrateDatabase } from "../../packages/server/platform/db/migrations/migrate.ts";
import { openDataDatabase } from "../../packages/server/platform/db/open.ts";
import { createBucket } from "../../packages/server/platform/db/buckets/create-bucket.ts";
import {
  insertBucket,
  openOtherBuckets,
} from "../../packages/server/platform/db/buckets/directory-store.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import {
  closeTemplate,
  connectNodes,
  createOnNodes,
  dropOnNodes,
  readCluster,
} from "../citus-cluster.ts";
import { TEST_BUCKET } from "../buckets.ts";
import { toDatabaseUrl } from "../database-urls.ts";

const log = openLog({ level: "warn", format: "json", output: process.stderr });

/** Creates a database with a bucket on all nodes of the cluster, of which tests make copies. Dropped when disposed. */
export async function openClusterTemplate(
  coordinatorUrl: string,
  name: string,
): Promise<AsyncDisposable> {
  const cluster = await readCluster(coordinatorUrl);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => dropOnNodes(cluster, name));
  await createOnNodes(cluster, name);
  await connectNodes(cluster, name);
  const url = toDatabaseUrl(coordinatorUrl, name);
  const db = openDataDatabase({ url, poolMax: 1, queueMax: 10, log, timeoutMs: 0 });
  try {
    await migrateDatabase(db, log);
    await createBucket(db, TEST_BUCKET);
    await insertBucket(db, TEST_BUCKET);
    await openOtherBuckets(db);
  } finally {
    await db.destroy();
  }
  await closeTemplate(cluster, name);
  const owned = opened.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
