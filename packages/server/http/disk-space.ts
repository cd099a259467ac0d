import type { DiskSpace } from "../platform/disk-space.ts";
import type { Http } from "./http.ts";

/** DELETE is exempt: it frees space and revokes access. */
const writingMethods = new Set(["POST", "PUT", "PATCH"]);

/**
 * Rejects writes with 503 while the disk is nearly full, before their body is read; reads continue to work.
 * Register it after authentication and before any route.
 */
export function registerDiskSpace(http: Http, diskSpace: DiskSpace): void {
  http.addHook("onRequest", (req, _reply, done) => {
    const isExempt =
      !writingMethods.has(req.method) || req.is404 || req.route.config.diskSpace === "exempt";
    try {
      if (!isExempt) diskSpace.assertFree();
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
