import type { EventOut } from "../../server/modules/webhooks/feed/schema.ts";
import { type Client, sleep } from "../client.ts";
import { CommandError, ProblemError, toReason } from "../errors.ts";
import type { Progress } from "../progress.ts";

const TIMEOUT_MS = 30_000;
const AWAY_MS = 1_000;

/** Some of what happened, and where to ask for what happens next. */
export interface Page {
  items: EventOut[];
  links: { next: string };
}

/** Reads a page. Throws a `CommandError` in words where the service says no, or none is there. */
export async function readPage(client: Client, path: string, signal: AbortSignal): Promise<Page> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await client.request(path, { signal: AbortSignal.any([signal, timeout]) });
    return (await answer.json()) as Page;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    throw new AwayError(`No service answers at ${client.url}: ${toReason(error)}.`);
  }
}

/** Reads a page, however long the service is away: it is told when it goes, and when it is back. */
export async function waitForPage(
  client: Client,
  path: string,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<Page> {
  for (let isAway = false; ; isAway = true) {
    try {
      const page = await readPage(client, path, signal);
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
  if (error instanceof ProblemError) return error.status === 429 || error.status >= 500;
  return error instanceof AwayError;
}
