import type { Config } from "../../../config/config.ts";
import { listCodedKeys } from "../../../platform/objects/coded.ts";
import type { Place } from "./store.ts";

const CONTENT_TYPE = "application/json; charset=utf-8";

/** Where the published file of a place is kept: replaced at each publication, so kept for a minute only. */
export function servedObject({ projectId, environment }: Place) {
  const staging = environment === "staging";
  return {
    key: staging ? `${projectId}.staging.json` : `${projectId}.json`,
    contentType: CONTENT_TYPE,
    cacheControl: staging ? "no-cache" : "public, max-age=60, stale-while-revalidate=600",
  };
}

/** Where a content is kept under its hash, for ever. */
export function immutableObject(projectId: string, hash: string) {
  return {
    key: `${projectId}/${hash}.json`,
    contentType: CONTENT_TYPE,
    cacheControl: "public, max-age=31536000, immutable",
  };
}

/** Where the widget that a content was published with is kept under its hash, for ever. */
export function widgetObject(hash: string) {
  return {
    key: `widget/widget.${hash}.js`,
    contentType: "text/javascript; charset=utf-8",
    cacheControl: "public, max-age=31536000, immutable",
  };
}

/** The public address of an object. */
export function fileHref({ cdnUrl }: Pick<Config, "cdnUrl">, { key }: { key: string }): string {
  return `${cdnUrl}/${key}`;
}

/**
 * The paths of an object as the content network knows them: as it is, and in its codings, which a network in front of
 * the storage itself may have read.
 */
export function cdnPaths(config: Pick<Config, "cdnUrl">, { key }: { key: string }): string[] {
  return listCodedKeys(key).map((one) => new URL(fileHref(config, { key: one })).pathname);
}
