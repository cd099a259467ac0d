import type { Config } from "../../config.ts";
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

/** The public address of an object. */
export function fileHref({ cdnUrl }: Pick<Config, "cdnUrl">, { key }: { key: string }): string {
  return `${cdnUrl}/${key}`;
}

/** The path of an object as the content network knows it. */
export function cdnPath(config: Pick<Config, "cdnUrl">, object: { key: string }): string {
  return new URL(fileHref(config, object)).pathname;
}
