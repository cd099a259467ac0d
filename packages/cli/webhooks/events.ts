import type { CallOptions, Client } from "@avow/client";
import type { Event as WebhookEvent } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { sleep } from "@avow/client/retry";
import { CommandError, toReason } from "../terminal/errors.ts";
import type { Progress } from "../terminal/progress.ts";

const RETRY_MS = 1_000;

/** A page of events, and the link to the next one. */
export interface Page {
  items: WebhookEvent[];
  links: { next?: string };
}

export type ReadPage = (options: CallOptions) => Promise<Page>;

/** Reads a page, without retries. @throws Problem; UnreachableError when no service responds */
export async function readPage(client: Client, read: ReadPage, signal: AbortSignal): Promise<Page> {
  try {
    return await read({ signal, retries: 0 });
  } catch (error) {
    signal.throwIfAborted();
    // An HTML page of a proxy means the same as no response.
    if (error instanceof SyntaxError || (error instanceof Problem && error.kind === "offline"))
      throw new UnreachableError(
        `The service at ${client.url} is unreachable: ${toReason(error)}.`,
      );
    throw error;
  }
}

/** Reads a page, and retries while the service is unavailable; reports the start and the end of the outage. */
export async function waitForPage(
  client: Client,
  read: ReadPage,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<Page> {
  for (let isUnreachable = false; ; isUnreachable = true) {
    try {
      const page = await readPage(client, read, signal);
      if (isUnreachable) progress.say("Connected again.");
      return page;
    } catch (error) {
      signal.throwIfAborted();
      if (!isTemporary(error)) throw error;
      if (!isUnreachable) progress.say(`${toReason(error)} Retrying; no event is lost …`);
      await sleep(RETRY_MS, signal);
    }
  }
}

class UnreachableError extends CommandError {
  override name = "UnreachableError";
}

function isTemporary(error: unknown): boolean {
  if (error instanceof Problem) return error.status === 429 || error.status >= 500;
  return error instanceof UnreachableError;
}
