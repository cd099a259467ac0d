import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type StandIn, openStandIn } from "./http.ts";

/** A received delivery. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read messages of every shape
  body: any;
}

/** Answers a delivery; when it sends nothing, the answer is 200 with `ok`. */
export type DeliveryHandler = (received: Received, answer: ServerResponse) => void | Promise<void>;

export interface Receiver extends StandIn {
  received: Received[];
  /** Replaces the handler of later deliveries. */
  answerWith: (handle: DeliveryHandler) => void;
  /** Returns the deliveries that match `of`, once there are `count`; throws after a minute. */
  waitFor: (count: number, of?: (received: Received) => boolean) => Promise<Received[]>;
}

const WAIT_MS_MAX = 60_000;

/** Starts a receiver of webhooks on a free port of the loopback address. */
export async function openReceiver(first: DeliveryHandler = () => undefined): Promise<Receiver> {
  const received: Received[] = [];
  let handle = first;
  const answer = async (one: Received, res: ServerResponse): Promise<void> => {
    await handle(one, res);
    if (!res.writableEnded && !res.destroyed) res.end("ok");
  };
  const standIn = await openStandIn((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = JSON.parse(text);
      const one = { path: req.url ?? "", headers: req.headers, text, body };
      received.push(one);
      void answer(one, res);
    });
  });
  return {
    ...standIn,
    received,
    answerWith(next) {
      handle = next;
    },
    async waitFor(count, of = () => true) {
      const until = performance.now() + WAIT_MS_MAX;
      for (;;) {
        const found = received.filter(of);
        if (found.length >= count) return found;
        if (performance.now() > until)
          throw new Error(
            `${found.length} deliveries instead of ${count}: ${JSON.stringify(received.map(({ body }) => body))}`,
          );
        await delay(20);
      }
    },
  };
}
