import type { IncomingHttpHeaders } from "node:http";
import { type StandIn, openStandIn } from "./http.ts";

interface PurgeReceived {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the next request is answered: a status with headers, nothing ever, or a connection that is cut. */
type PurgeReply = { status: number; headers?: Record<string, string> } | "silence" | "cut";

/** A cache that is asked to forget: it keeps what it was asked, and answers 200 or as it was told to. */
export interface PurgeStandIn extends StandIn {
  received: readonly PurgeReceived[];
  /** How many requests were open at once, at most. */
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
      // Later, so that those who come at once are open at once.
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
