import type { IncomingHttpHeaders } from "node:http";
import { type StandIn, openStandIn } from "./http.ts";

interface PurgeReceived {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The next answer: a status with headers, no answer ever, or a cut connection. */
type PurgeReply = { status: number; headers?: Record<string, string> } | "silence" | "cut";

/** A cache that records purge requests, and answers 200 or the next reply in its queue. */
export interface PurgeStandIn extends StandIn {
  received: readonly PurgeReceived[];
  /** The highest number of concurrent requests. */
  openMax(): number;
  reply(times: number, reply: PurgeReply): void;
}

export async function openPurgeStandIn(): Promise<PurgeStandIn> {
  const received: PurgeReceived[] = [];
  const replies: PurgeReply[] = [];
  let open = 0;
  let openMax = 0;
  const server = await openStandIn((request, answer) => {
    open += 1;
    openMax = Math.max(openMax, open);
    answer.once("close", () => (open -= 1));
    const { method = "", url: path = "", headers } = request;
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.once("end", () => {
      received.push({ method, path, headers, body });
      const reply = replies.shift() ?? { status: 200 };
      if (reply === "silence") return;
      if (reply === "cut") request.socket.destroy();
      // Delayed, so that concurrent requests overlap.
      else setImmediate(() => answer.writeHead(reply.status, reply.headers).end("Purged\n"));
    });
  });
  return {
    ...server,
    received,
    openMax: () => openMax,
    reply: (times, reply) => void replies.push(...Array.from({ length: times }, () => reply)),
  };
}
