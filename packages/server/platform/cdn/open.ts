import type { FastifyBaseLogger } from "fastify";
import type { Cdn } from "./cdn.ts";
import { openPurgeCdn } from "./purge.ts";
import { openRecordCdn } from "./record.ts";

/** The CDN or caches that are purged when a published file changes. */
export type CdnConfig =
  | { readonly kind: "none" }
  | { readonly kind: "cloudfront"; readonly distributionId: string }
  | {
      readonly kind: "purge";
      /** With placeholders. */
      readonly caches: readonly string[];
      readonly method: "PURGE" | "POST" | "DELETE" | "GET";
      readonly body: string | undefined;
    };

export interface CdnOptions {
  config: { readonly cdn: CdnConfig; readonly cdnUrl: string };
  /** Sent with each purge. */
  headers: Readonly<Record<string, string>> | undefined;
  log: Pick<FastifyBaseLogger, "info" | "warn">;
  now: () => Date;
}

/**
 * Opens the configured CDN.
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
