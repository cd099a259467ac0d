import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type StandIn, openStandIn } from "./http.ts";

/** What a webhook was sent. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape of message
  body: any;
}

/** Answers a delivery; 200 with `ok` where it does nothing. */
export type Answering = (received: Received, answer: ServerResponse) => void | Promise<void>;

export interface Receiver extends StandIn {
  received: Received[];
  /** How it answers from now on. */
  answerWith: (answering: Answering) => void;
  /** What was received, once it is so much and `isEnough` of it; throws after ten seconds. */
  waitFor: (count: number, of?: (received: Received) => boolean) => Promise<Received[]>;
}

const WAIT_MS_MAX = 60_000;

/** Starts a receiver of webhooks on a free port of the loopback address. */
export async function openReceiver(first: Answering = () => undefined): Promise<Receiver> {
  const received: Received[] = [];
  let answering = first;
  const answer = async (one: Received, res: ServerResponse): Promise<void> => {
    await answering(one, res);
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
      answering = next;
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
