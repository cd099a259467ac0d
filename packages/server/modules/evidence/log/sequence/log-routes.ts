import type { FastifyReply } from "fastify";
import { paths } from "@avow/contract/urls";
import type { Db } from "../../../../platform/db/db.ts";
import type { Http } from "../../../../http/http.ts";
import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";
import { type Head, findCosignedHead, findWitnessedHead } from "../heads.ts";
import { findLogKeys } from "./key-entries.ts";
import { LogKeysOut, LogWidgetsOut } from "../schema.ts";
import { findHead, findTile } from "../store.ts";
import { ENTRIES_LEVEL, parseTilePath, toEntryBundle } from "../tree/tile-path.ts";
import { listLogWidgets } from "./widget-entries.ts";

const CHECKPOINT_CACHE = "public, max-age=1, must-revalidate";
/** A tile never changes; a partial tile has an address of its own. */
const TILE_CACHE = "public, max-age=31536000, immutable";

/**
 * Serves the log as specified by C2SP tlog-tiles: the latest checkpoint, and tiles that caches may keep
 * permanently.
 */
export function registerLogRoutes(http: Http, { db }: { db: Db }): void {
  const options = { config: { cors: "any" }, schema: { hide: true } } as const;
  http.get(paths.checkpoint, options, async (_req, reply) => {
    return sendCheckpoint(reply, await findCosignedHead(db));
  });
  http.get(paths.witnessedCheckpoint, options, async (_req, reply) => {
    return sendCheckpoint(reply, await findWitnessedHead(db));
  });
  const keysOptions = {
    ...options,
    schema: { hide: true, response: { 200: LogKeysOut } },
  } as const;
  http.get(paths.logKeys, keysOptions, async (_req, reply) => {
    const found = await findLogKeys(db);
    if (!found) return reply.callNotFound();
    void reply.header("cache-control", CHECKPOINT_CACHE);
    return found;
  });
  const widgetsOptions = {
    ...options,
    schema: { hide: true, response: { 200: LogWidgetsOut } },
  } as const;
  http.get(paths.logWidgets, widgetsOptions, async (_req, reply) => {
    void reply.header("cache-control", CHECKPOINT_CACHE);
    return listLogWidgets(db);
  });
  http.get<{ Params: { "*": string } }>(paths.logTile, options, async (req, reply) => {
    const name = parseTilePath(req.params["*"]);
    const size = (await findHead(db))?.size ?? 0;
    if (!name || !isSigned(name, size)) return reply.callNotFound();
    const tile = await findTile(db, name);
    if (!tile) throw new Error(`The log lacks tile ${req.params["*"]}.`);
    const hashes = tile.subarray(0, name.width * HASH_BYTES);
    void reply.header("cache-control", TILE_CACHE).type("application/octet-stream");
    return reply.send(name.level === ENTRIES_LEVEL ? toEntryBundle(hashes) : hashes);
  });
}

function sendCheckpoint(reply: FastifyReply, head: Head | undefined): FastifyReply {
  if (!head) {
    reply.callNotFound();
    return reply;
  }
  void reply.header("cache-control", CHECKPOINT_CACHE).type("text/plain; charset=utf-8");
  return reply.send(head.checkpoint);
}

/** Whether the signed tree contains the whole tile. */
function isSigned(
  { level, index, width }: { level: number; index: number; width: number },
  size: number,
): boolean {
  const inLevel = Math.floor(size / TILE_WIDTH ** Math.max(0, level));
  return index * TILE_WIDTH + width <= inLevel;
}
