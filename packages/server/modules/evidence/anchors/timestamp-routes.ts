import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import type { DataDb } from "../../../platform/db/db.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { TimestampOut } from "../log/schema.ts";
import { type TimestampRow, findTimestamp } from "./timestamp-store.ts";
import { listTimestamps, parseSize } from "./timestamps.ts";

const LIST_CACHE = "public, max-age=60, must-revalidate";
/** The time-stamp of a tree never changes. */
const FILE_CACHE = "public, max-age=31536000, immutable";

/**
 * Serves the time-stamps of the log's checkpoints (RFC 3161): each as the authority's response and the
 * time-stamped bytes, which are the inputs of `openssl ts -verify`.
 */
export function registerTimestampRoutes(
  http: Http,
  { db, publicUrl }: { db: DataDb; publicUrl: string },
): void {
  const config = { cors: "any" } as const;
  http.get(
    paths.timestamps,
    {
      config,
      schema: {
        tags: ["log"],
        operationId: "listTimestamps",
        summary: "List the time-stamps of checkpoints, newest first",
        description: "RFC 3161 time-stamps by the authority of EVIDENCE_TSA_URL.",
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(TimestampOut) },
      },
    },
    async (req, reply) => {
      const { limit, cursor } = req.query;
      const page = await listTimestamps(db, { limit, cursor });
      const at = (here: string | undefined) =>
        hrefOf(publicUrl, paths.timestamps, {}, { limit, cursor: here });
      void reply.header("cache-control", LIST_CACHE);
      return {
        items: page.items.map(({ size, stamped_at }) => ({
          size,
          time: stamped_at.toISOString(),
          links: {
            timestamp: hrefOf(publicUrl, paths.timestampReply, { size }),
            checkpoint: hrefOf(publicUrl, paths.timestampCheckpoint, { size }),
          },
        })),
        links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
      };
    },
  );
  const params = Type.Object({
    size: Type.String({ description: "number of entries of the stamped tree", examples: ["4711"] }),
  });
  const stamp = {
    tags: ["log"],
    operationId: "getTimestamp",
    summary: "Get the authority's response for a checkpoint",
    description: "A TimeStampResp in DER, for `openssl ts -verify`.",
    params,
  };
  http.get(
    paths.timestampReply,
    { config: { ...config, streamed: ["application/timestamp-reply"] }, schema: stamp },
    async (req, reply) =>
      sendFile(reply, await find(req.params.size), {
        type: "application/timestamp-reply",
        toBody: ({ reply: bytes }) => bytes,
      }),
  );
  const stamped = {
    tags: ["log"],
    operationId: "getTimestampedCheckpoint",
    summary: "Get the checkpoint that a time-stamp covers",
    description: "The exact bytes that the authority hashed.",
    params,
  };
  http.get(
    paths.timestampCheckpoint,
    { config: { ...config, streamed: ["text/plain"] }, schema: stamped },
    async (req, reply) =>
      sendFile(reply, await find(req.params.size), {
        type: "text/plain; charset=utf-8",
        toBody: ({ checkpoint }) => checkpoint,
      }),
  );

  async function find(text: string): Promise<TimestampRow | undefined> {
    const size = parseSize(text);
    return size === undefined ? undefined : findTimestamp(db, size);
  }
}

function sendFile(
  reply: FastifyReply,
  row: TimestampRow | undefined,
  { type, toBody }: { type: string; toBody: (row: TimestampRow) => Buffer | string },
): FastifyReply {
  if (!row) {
    reply.callNotFound();
    return reply;
  }
  return reply.header("cache-control", FILE_CACHE).type(type).send(toBody(row));
}
