import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { DataDb } from "../../../../platform/db/db.ts";
import type { Http } from "../../../../http/http.ts";
import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";
import { type Head, findCosignedHead, findWitnessedHead } from "../heads.ts";
import { findLogKeys } from "./key-entries.ts";
import { LogKeysOut, LogWidgetsOut } from "../schema.ts";
import { findHead, findTile } from "../store.ts";
import { ENTRIES_LEVEL, parseTilePath, toEntryBundle } from "../tree/tile-path.ts";
import { listLogWidgets } from "./widget-entries.ts";

const LOG_TILES = paths.logTile.slice(0, -1);
const TileParams = Type.Object({
  level: Type.String({ description: "0 to 63, or `entries`.", examples: ["0"] }),
  index: Type.String({
    description: "Groups of three digits, all but the last with an `x`; `.p/W` for a partial tile.",
    examples: ["000.p/8"],
  }),
});
const CHECKPOINT_CACHE = "public, max-age=1, must-revalidate";
/** A tile never changes; a partial tile has an address of its own. */
const TILE_CACHE = "public, max-age=31536000, immutable";

/**
 * Serves the log as specified by C2SP tlog-tiles: the latest checkpoint, and tiles that caches may keep
 * permanently.
 */
export function registerLogRoutes(http: Http, { db }: { db: DataDb }): void {
  const config = { cors: "any" } as const;
  const textConfig = { ...config, streamed: ["text/plain"] } as const;
  const checkpoint = {
    tags: ["log"],
    operationId: "getCheckpoint",
    summary: "Get the newest signed checkpoint",
    description:
      "A C2SP checkpoint with the log's signatures and the newest cosignatures of this tree.",
  };
  http.get(paths.checkpoint, { config: textConfig, schema: checkpoint }, async (_req, reply) => {
    return sendCheckpoint(reply, await findCosignedHead(db));
  });
  const witnessed = {
    tags: ["log"],
    operationId: "getWitnessedCheckpoint",
    summary: "Get the newest checkpoint that witnesses cosigned",
    description: "404 until a witness has cosigned a tree.",
  };
  http.get(
    paths.witnessedCheckpoint,
    { config: textConfig, schema: witnessed },
    async (_req, reply) => {
      return sendCheckpoint(reply, await findWitnessedHead(db));
    },
  );
  const keys = {
    tags: ["log"],
    operationId: "listLogKeys",
    summary: "List the keys of the log and of its witnesses",
    description:
      "Compare them with the keys that you trust: the service's own list proves nothing.",
    response: { 200: LogKeysOut },
  } as const;
  http.get(paths.logKeys, { config, schema: keys }, async (_req, reply) => {
    const found = await findLogKeys(db);
    if (!found) return reply.callNotFound();
    void reply.header("cache-control", CHECKPOINT_CACHE);
    return found;
  });
  const widgets = {
    tags: ["log"],
    operationId: "listLogWidgets",
    summary: "List the versions of the widget's code in the log",
    description: "Each has the SHA-256 of the code and the salt that opens its log entry.",
    response: { 200: LogWidgetsOut },
  } as const;
  http.get(paths.logWidgets, { config, schema: widgets }, async (_req, reply) => {
    void reply.header("cache-control", CHECKPOINT_CACHE);
    return listLogWidgets(db);
  });
  const tileRoute = {
    config: {
      ...config,
      streamed: ["application/octet-stream"],
      documented: { url: `${LOG_TILES}:level/:index`, params: TileParams },
    },
    schema: {
      tags: ["log"],
      operationId: "getLogTile",
      summary: "Get a tile of the log's tree, or a bundle of its entries",
      description: "Paths and contents as in C2SP tlog-tiles. A tile never changes.",
    },
  } as const;
  http.get<{ Params: { "*": string } }>(paths.logTile, tileRoute, async (req, reply) => {
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
