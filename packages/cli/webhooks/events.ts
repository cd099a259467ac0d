import type { CallOptions, Client } from "@avow/client";
import type { Event as WebhookEvent } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { sleep } from "@avow/client/retry";
import { CommandError, toReason } from "../terminal/errors.ts";
import type { Progress } from "../terminal/progress.ts";

const AWAY_MS = 1_000;

/** Some of what happened, and where to ask for what happens next. */
export interface Page {
  items: WebhookEvent[];
  links: { next?: string };
}

export type ReadPage = (options: CallOptions) => Promise<Page>;

/** Reads a page, once. @throws Problem; AwayError where no service answers */
export async function readPage(client: Client, read: ReadPage, signal: AbortSignal): Promise<Page> {
  try {
    return await read({ signal, retries: 0 });
  } catch (error) {
    signal.throwIfAborted();
    // A page of a proxy in place of JSON means the same as no response.
    if (error instanceof SyntaxError || (error instanceof Problem && error.kind === "offline"))
      throw new AwayError(`No service answers at ${client.url}: ${toReason(error)}.`);
    throw error;
  }
}

/** Reads a page, however long the service is away: it is told when it goes, and when it is back. */
export async function waitForPage(
  client: Client,
  read: ReadPage,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<Page> {
  for (let isAway = false; ; isAway = true) {
    try {
      const page = await readPage(client, read, signal);
      if (isAway) progress.say("It is back.");
      return page;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      if (!isAway) progress.say(`${toReason(error)} Waiting for it; nothing is missed …`);
      await sleep(AWAY_MS, signal);
    }
  }
}

class AwayError extends CommandError {
  override name = "AwayError";
}

function isPassing(error: unknown): boolean {
  if (error instanceof Problem) return error.status === 429 || error.status >= 500;
  return error instanceof AwayError;
}
