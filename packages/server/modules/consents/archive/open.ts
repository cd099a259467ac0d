import type { FastifyBaseLogger } from "fastify";
import type { DataDb } from "../../../platform/db/db.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { type ObjectsConfig, openObjects } from "../../../platform/objects/open.ts";
import { openArchiveReader, withArchive } from "./reader.ts";

/** The storage of archived months, and the database with their reader. */
export interface OpenedArchive extends Disposable {
  objects: Objects;
  data: DataDb;
}

/**
 * Opens the storage of archived months. All reads of consents use the returned database.
 * @throws StartError when the storage cannot be used
 */
export async function openArchive(
  data: DataDb,
  {
    config,
    now,
    log,
  }: { config: ObjectsConfig; now: () => Date; log: Pick<FastifyBaseLogger, "error"> },
): Promise<OpenedArchive> {
  const objects = await openObjects(config, now);
  const reader = openArchiveReader({ objects, log });
  return {
    objects,
    data: withArchive(data, reader),
    [Symbol.dispose]() {
      reader[Symbol.dispose]();
      objects[Symbol.dispose]();
    },
  };
}
