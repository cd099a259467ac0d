import type { Config } from "../../../config/config.ts";
import { listCodedKeys } from "../../../platform/objects/coded.ts";
import type { Target } from "./store.ts";

const CONTENT_TYPE = "application/json; charset=utf-8";
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** The published file of a target. Each publication replaces it, so caches keep it only for a minute. */
export function servedObject({ projectId, environment }: Target) {
  const staging = environment === "staging";
  return {
    key: staging ? `${projectId}.staging.json` : `${projectId}.json`,
    contentType: CONTENT_TYPE,
    cacheControl: staging ? "no-cache" : "public, max-age=60, stale-while-revalidate=600",
  };
}

/** The script that holds the tags of a target until consent. Each publication replaces it. */
export function blockObject(target: Target) {
  const { key, cacheControl } = servedObject(target);
  return {
    key: key.replace(/json$/, "block.js"),
    contentType: SCRIPT_TYPE,
    cacheControl,
  };
}

/** The script that holds tags, if it is among the files of a job; undefined for a project without hosts. */
export function findBlockObject(target: Target, files: readonly { key: string }[] | null) {
  const block = blockObject(target);
  return files?.some(({ key }) => key === block.key) ? block : undefined;
}

/** A content under its hash, stored permanently. */
export function immutableObject(projectId: string, hash: string) {
  return {
    key: `${projectId}/${hash}.json`,
    contentType: CONTENT_TYPE,
    cacheControl: "public, max-age=31536000, immutable",
  };
}

/** The widget that a content was published with, under its hash, stored permanently. */
export function widgetObject(hash: string) {
  return {
    key: `widget/widget.${hash}.js`,
    contentType: SCRIPT_TYPE,
    cacheControl: "public, max-age=31536000, immutable",
  };
}

/** The public address of an object. */
export function fileHref({ cdnUrl }: Pick<Config, "cdnUrl">, { key }: { key: string }): string {
  return `${cdnUrl}/${key}`;
}

/**
 * The paths of an object in the CDN: the object itself and its compressed codings, which a CDN in front of the
 * storage may have fetched directly.
 */
export function cdnPaths(config: Pick<Config, "cdnUrl">, { key }: { key: string }): string[] {
  return listCodedKeys(key).map((one) => new URL(fileHref(config, { key: one })).pathname);
}
