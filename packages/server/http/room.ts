import type { DiskRoom } from "../platform/disk-room.ts";
import type { Http } from "./http.ts";

/** A DELETE is taken: it is how room is made, and how access is taken away. */
const writing = new Set(["POST", "PUT", "PATCH"]);

/**
 * Refuses writes with 503 while the disk is nearly full, before their body is read; reads go on. To
 * be registered after authentication, which comes first, and before any route.
 */
export function registerRoom(http: Http, room: DiskRoom): void {
  http.addHook("onRequest", (req, _reply, done) => {
    const isTaken =
      !writing.has(req.method) || req.is404 || req.routeOptions.config.room === "spared";
    try {
      if (!isTaken) room.assertRoom();
      done();
    } catch (error) {
      done(error as Error);
    }
  });
}
