import type { FastifyBaseLogger } from "fastify";
import type { DataDb } from "../../../platform/db/db.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { type ObjectsConfig, openObjects } from "../../../platform/objects/open.ts";
import { openArchiveReader, withArchive } from "./reader.ts";

/** The storage of archived months. All reads of consents use databases that were attached to it. */
export interface OpenedArchive extends Disposable {
  objects: Objects;
  /** The same database with the reader of archived months. */
  attach: (data: DataDb) => DataDb;
}

/**
 * Opens the storage of archived months.
 * @throws StartError when the storage cannot be used
 */
export async function openArchive({
  config,
  now,
  log,
}: {
  config: ObjectsConfig;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "error">;
}): Promise<OpenedArchive> {
  const objects = await openObjects(config, now);
  const reader = openArchiveReader({ objects, log });
  return {
    objects,
    attach: (data) => withArchive(data, reader),
    [Symbol.dispose]() {
      reader[Symbol.dispose]();
      objects[Symbol.dispose]();
    },
  };
}
