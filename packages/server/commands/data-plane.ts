import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { openArchive } from "../modules/consents/archive/open.ts";
import type { Buckets } from "../platform/db/buckets/buckets.ts";
import { openDataPlane } from "../platform/db/buckets/open.ts";
import { openDataDatabase } from "../platform/db/open.ts";
import type { Objects } from "../platform/objects/objects.ts";

const POOL = { poolMax: 2, queueMax: 10 };

/** The data plane for a command, with the storage of its archived months. */
export interface CommandData extends AsyncDisposable {
  buckets: Buckets;
  archive: Objects;
}

/** Opens the data plane at `url` for a command. @throws StartError when the storage cannot be used */
export async function openCommandData(
  url: string,
  { config, log }: { config: Pick<Config, "archive">; log: Logger },
): Promise<CommandData> {
  await using opened = new AsyncDisposableStack();
  const home = openDataDatabase({ url, ...POOL, log });
  opened.defer(() => home.destroy());
  const archiving = { config: config.archive.objects, now: () => new Date(), log };
  const { objects: archive, attach } = opened.use(await openArchive(archiving));
  const buckets = opened.use(await openDataPlane({ home, dataUrl: url, ...POOL, log, attach }));
  const owned = opened.move();
  return { buckets, archive, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
