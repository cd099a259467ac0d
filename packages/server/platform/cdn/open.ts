import type { FastifyBaseLogger } from "fastify";
import type { Config, Secrets } from "../../config.ts";
import type { Cdn } from "./cdn.ts";
import { openPurgeCdn } from "./purge.ts";
import { openRecordCdn } from "./record.ts";

export interface CdnOptions {
  config: Pick<Config, "cdn" | "cdnUrl">;
  headers: Secrets["purgeHeaders"];
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  now: () => Date;
}

/**
 * Opens the content network that the settings name.
 * @throws StartError when it cannot be used
 */
export async function openCdn({
  config,
  headers,
  log,
  now,
}: CdnOptions): Promise<Cdn & Disposable> {
  const { cdn, cdnUrl } = config;
  if (cdn.kind === "cloudfront") {
    // Loading the SDK takes longer than starting everything else.
    const { openCloudFrontCdn } = await import("./cloudfront.ts");
    return openCloudFrontCdn({ ...cdn, log });
  }
  const opened =
    cdn.kind === "purge"
      ? openPurgeCdn({ ...cdn, cdnUrl, headers: headers ?? {} })
      : openRecordCdn({ log, now });
  return { ...opened, [Symbol.dispose]: () => undefined };
}
