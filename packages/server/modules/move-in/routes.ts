import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { PER_MINUTE_MAX, type SourceReader, limits } from "./read-source.ts";
import { MoveInFilesIn, MoveInFilesOut } from "./schema.ts";

const MIB = 1_024 * 1_024;

/** Registers the route that reads the public files of another consent product. */
export function registerMoveInRoute(http: Http, reader: SourceReader): void {
  http.post(
    paths.moveInFiles,
    {
      schema: {
        tags: ["move-in"],
        operationId: "readMoveInFiles",
        summary: "Read the public configuration of a site's consent product",
        description: `Fetches an address, and the public files of consent products that it names: at most ${limits.filesMax} files of ${limits.fileBytesMax / MIB} MiB, ${limits.totalBytesMax / MIB} MiB in all, within ${limits.totalTimeoutMs / 1_000} seconds. Stores nothing. Contacts public addresses only, and returns only files that are a configuration of a known product; of a page, only the scripts that contain one. 422 if the address cannot be fetched or has none. At most ${PER_MINUTE_MAX} requests of a user in a minute, one at a time.`,
        body: MoveInFilesIn,
        response: { 200: MoveInFilesOut },
      },
    },
    async (req, reply) => {
      const leaving = new AbortController();
      reply.raw.once("close", () => leaving.abort());
      return reader.read(req.actor, { url: req.body.url, signal: leaving.signal });
    },
  );
}
