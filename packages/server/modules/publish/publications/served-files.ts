import type { Db } from "../../../platform/db/db.ts";
import type { ObjectIn } from "../../../platform/objects/objects.ts";
import { toFiles } from "../content/content.ts";
import { servedObject } from "./files.ts";
import { type LiveVersion, findPublishedContent, listLiveVersions } from "./publications-store.ts";

const PAGE = 1_000;
const servedPattern = /^[0-9a-f]{24}(?:\.staging)?\.json(?:\.br|\.gz)?$/;

/** Whether a key is that of a published file that visitors read, or of one of its codings. */
export function isServedKey(key: string): boolean {
  return servedPattern.test(key);
}

/** The published files that visitors read, as the database has them. */
export async function* listServedFiles(
  db: Db,
): AsyncGenerator<{ environment: LiveVersion["environment"]; file: ObjectIn }> {
  for (let after: LiveVersion | undefined; ;) {
    const page = await listLiveVersions(db, { after, limit: PAGE });
    for (const target of page) {
      const content = await findPublishedContent(db, target, target.version);
      if (content === undefined) continue;
      const { environment } = target;
      yield { environment, file: { ...servedObject(target), bytes: toFiles(content).served } };
    }
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
