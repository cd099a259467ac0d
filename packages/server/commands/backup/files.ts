import { readObject } from "../../platform/objects/objects.ts";
import type { ObjectFacts, ObjectIn, Objects } from "../../platform/objects/objects.ts";
import { isCodedStored, listCodedKeys, toCoded } from "../../platform/objects/coded.ts";
import { CommandError } from "@avow/cli/errors";
import { listArchivedFiles } from "../../modules/consents/months/months-store.ts";
import type { DataDb, Db } from "../../platform/db/db.ts";
import { isServedKey, listServedFiles } from "../../modules/publish/publications/served-files.ts";

/**
 * Published files and assets. Files that visitors read are as the database of the snapshot has them, since each
 * publication replaces them; all others never change. A file that was deleted during the backup is left out.
 */
export async function* readFiles(objects: Objects, db: Db): AsyncGenerator<ObjectIn> {
  for await (const key of objects.listKeys()) {
    if (isServedKey(key)) continue;
    const file = await findFile(objects, key);
    if (file) yield file;
  }
  for await (const { environment, file } of listServedFiles(db)) {
    // The database does not know whether a project was unpublished from staging.
    if (environment === "staging" && !(await objects.findObject(file.key))) continue;
    if (await isCodedStored(objects, file)) {
      for (const key of listCodedKeys(file.key)) {
        const stored = await findFile(objects, key);
        if (stored) yield stored;
      }
      continue;
    }
    const { plain, coded } = await toCoded(file);
    yield* [plain, ...coded];
  }
}

/**
 * The files of archived months that the snapshot of the data plane lists.
 * @throws CommandError if one is missing, since it was replaced after an erasure, or is lost
 */
export async function* readArchivedFiles(objects: Objects, data: DataDb): AsyncGenerator<ObjectIn> {
  for (const { key } of await listArchivedFiles(data)) {
    const file = await findFile(objects, key);
    if (!file)
      throw new CommandError(
        `The archived file ${key} is missing. Run the backup again if records were erased during it; otherwise see avow doctor.`,
      );
    yield file;
  }
}

async function findFile(objects: Objects, key: string): Promise<ObjectIn | undefined> {
  const facts = await objects.findObject(key);
  const bytes = facts && (await readObject(objects, key));
  return bytes && { key, bytes, ...toMetadata(facts) };
}

export function toMetadata({ contentType, cacheControl, contentEncoding }: ObjectFacts | ObjectIn) {
  return { contentType, cacheControl, ...(contentEncoding && { contentEncoding }) };
}
