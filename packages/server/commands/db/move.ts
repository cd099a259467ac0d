import { openDataDatabase } from "../../platform/db/open.ts";
import { tallyToEnd } from "../../modules/consents/stats/tally.ts";
import { findLogSize, listPlacedConsents } from "../../modules/evidence/log/placed.ts";
import {
  type MonthPartition,
  createMonthPartitions,
  listMonthPartitions,
} from "../../modules/consents/records/months-store.ts";
import {
  HOME,
  chooseBucket,
  findPlace,
  listBucketRows,
} from "../../platform/db/buckets/directory-store.ts";
import {
  assertNoNodes,
  copyShared,
  countServiceConnections,
  createMovingIndexes,
  dropMovingIndexes,
  listProjectsOf,
  moveProject,
} from "../../platform/db/buckets/move-project.ts";
import type { DataDb } from "../../platform/db/db.ts";
import { StartError } from "../../platform/start-error.ts";
import type { DataPlane } from "./distribute.ts";

/** Moves projects, all of `public` by default, to `to` or to the buckets that take new projects. */
export async function moveProjects(
  plane: DataPlane,
  { projectIds, to }: { projectIds: readonly string[] | undefined; to: string | undefined },
): Promise<void> {
  const { home, progress, signal } = plane;
  await assertStopped(home);
  const names = (await listBucketRows(home)).map(({ name }) => name);
  if (to !== undefined && !names.includes(to)) throw new StartError(`There is no bucket ${to}.`);
  const ids = projectIds ?? (await listProjectsOf(home, HOME));
  const prepared = new Set<string>();
  await using opened = new AsyncDisposableStack();
  opened.defer(async () => {
    const buckets = new Set([...prepared].flatMap((pair) => pair.split(" ")));
    for (const bucket of buckets) await dropMovingIndexes(home, bucket);
  });
  let [moved, records] = [0, 0];
  for (const projectId of ids) {
    signal.throwIfAborted();
    const from = await findPlace(home, projectId);
    if (from === undefined) throw new StartError(`There is no data of a project ${projectId}.`);
    const target = to ?? (await chooseBucket(home, projectId));
    if (target === undefined)
      throw new StartError("No bucket takes new projects. Run avow db distribute first.");
    if (target === from) continue;
    await prepare(plane, { from, to: target, prepared });
    const title = `Moving project ${projectId} to ${target}`;
    let done = 0;
    records += await moveProject(home, { projectId, from, to: target }, (_table, rows) => {
      done += rows;
      progress.show({ title, done, unit: "records" });
    });
    moved += 1;
  }
  progress.clear();
  console.log(
    `${moved.toLocaleString("en")} of ${ids.length.toLocaleString("en")} projects moved, with ${records.toLocaleString("en")} rows.`,
  );
}

/** Nodes of versions that do not confirm themselves are known by their connections only. */
async function assertStopped(home: DataDb): Promise<void> {
  await assertNoNodes(home);
  const count = await countServiceConnections(home);
  if (count > 0)
    throw new StartError(
      `The service has ${count} connections to the database. Stop all nodes: they would continue to write to the old place.`,
    );
}

/**
 * Brings both buckets to the same point: the answers of all sequenced consents are counted, and the target has the months
 * of the source, and what belongs to no project.
 */
async function prepare(
  { home, url, config, log }: DataPlane,
  { from, to, prepared }: { from: string; to: string; prepared: Set<string> },
): Promise<void> {
  if (prepared.has(`${from} ${to}`)) return;
  prepared.add(`${from} ${to}`);
  let months: MonthPartition[] = [];
  for (const schema of [from, to]) {
    const data = openDataDatabase({ url, schema, poolMax: 2, queueMax: 10, log, timeoutMs: 0 });
    try {
      await tallyToEnd({ data, config, findLogSize, listPlacedConsents });
      if (schema === from) months = await listMonthPartitions(data);
      else
        for (const { month } of months) {
          const start = new Date(`${month}T00:00:00Z`);
          await createMonthPartitions(data, start, start);
        }
    } finally {
      await data.destroy();
    }
    await createMovingIndexes(home, schema);
  }
  await copyShared(home, { from, to });
}
