import { createHash } from "node:crypto";
import { assertCdnPaths } from "./cdn.ts";
import type { Cdn, InvalidationOut } from "./cdn.ts";

interface RecordedInvalidation {
  id: string;
  reference: string;
  paths: readonly string[];
  at: Date;
}

export interface RecordCdnOptions {
  log: { info(fields: object, message: string): void };
  now: () => Date;
  /** Maximum number of recorded invalidations, the last ones. */
  recordedMax?: number;
}

/** Records invalidations in memory and in the log, without a CDN. */
export interface RecordCdn extends Cdn {
  /** The last invalidations, oldest first. */
  recorded(): readonly RecordedInvalidation[];
}

/** Opens the driver for a service that serves its files itself. */
export function openRecordCdn({ log, now, recordedMax = 100 }: RecordCdnOptions): RecordCdn {
  const kept: RecordedInvalidation[] = [];
  return {
    async invalidatePaths({ paths, reference }): Promise<InvalidationOut> {
      assertCdnPaths(paths);
      const id = toInvalidationId(paths, reference);
      if (!kept.some((invalidation) => invalidation.id === id)) {
        kept.push({ id, reference, paths: [...paths], at: now() });
        if (kept.length > recordedMax) kept.shift();
        log.info(
          { invalidation: id, reference, paths: paths.slice(0, 20) },
          "invalidation recorded",
        );
      }
      return {
        id,
        note: "No CDN is configured. This service serves the files.",
      };
    },
    recorded: () => [...kept],
  };
}

function toInvalidationId(paths: readonly string[], reference: string): string {
  const key = JSON.stringify([reference, paths.toSorted()]);
  return `record-${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}
