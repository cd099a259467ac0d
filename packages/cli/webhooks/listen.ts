import { randomBytes } from "node:crypto";
import type { EventOut } from "../../server/modules/webhooks/feed/schema.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { readArguments } from "../arguments.ts";
import { sleep } from "../client.ts";
import { UsageError } from "../errors.ts";
import { readPage, waitForPage } from "./events.ts";
import { type Forward, forwardEvent } from "./forward.ts";

const help = `Usage: avow webhooks listen --forward URL [--events NAMES] [--project PROJECT]

Asks the service for what happens from now on, and posts each event to a program of yours, signed as a
webhook would be. Nothing has to reach this machine from outside, and no webhook is made. Each event is
forwarded once, whatever is answered. While the service is away it waits, and then goes on where it was. It
ends with Ctrl-C. AVOW_TOKEN may be an API key with the scope webhooks:read; consents are told with
consents:read too.

  --forward URL      where to, such as http://127.0.0.1:3000/hook
  --events NAMES     which ones, separated by commas (default: all), such as consent.created
  --project PROJECT  of one project only
  --secret SECRET    what to sign with, whsec_…; better in AVOW_WEBHOOK_SECRET (default: a new one, which
                     is printed)
  --count N          end after so many events
`;
const options = {
  forward: { type: "string" },
  events: { type: "string" },
  project: { type: "string" },
  secret: { type: "string" },
  count: { type: "string" },
} as const;
const POLL_MS = 500;
const SECRET_BYTES = 32;

/** Runs `avow webhooks listen`; answers the exit status. */
export async function listen(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, { help, options, positionals: [] });
  if (!given) return 0;
  const { client, progress, text } = given;
  const url = readForward(text("forward"));
  const count = readCount(text("count"));
  const { secret, isNew } = readSecret(text("secret"));
  const query = { events: text("events"), projectId: text("project") };
  const begin = await readPage(client, hrefOf("", paths.webhookEvents, {}, query), signal);
  progress.say(`Listening to ${client.url}, forwarding to ${url}. Ctrl-C ends it.`);
  if (isNew) progress.say(`Signed with ${secret}`);
  const forward = { url, secret, signal };
  let next = client.pathOf(begin.links.next);
  for (let seen = 0; seen < count;) {
    const { items, links } = await waitForPage(client, next, { signal, progress });
    for (const event of items.slice(0, count - seen)) await tell(event, forward);
    seen += items.length;
    next = client.pathOf(links.next);
    if (items.length === 0) await sleep(POLL_MS, signal);
  }
  return 0;
}

async function tell(event: EventOut, forward: Forward): Promise<void> {
  const { told, isTaken } = await forwardEvent(event, forward);
  const time = event.timestamp.slice(11, 19);
  process.stdout.write(`${time} ${isTaken ? "✓" : "✗"} ${event.type} ${event.id} → ${told}\n`);
}

function readForward(given: string | undefined): string {
  if (given === undefined)
    throw new UsageError("Name where to: --forward http://127.0.0.1:3000/hook");
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new UsageError(`--forward: expected an http or https address, got ${given}.`);
  return given;
}

function readCount(given: string | undefined): number {
  if (given === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new UsageError(`--count: expected a whole number from 1, got ${given}.`);
}

function readSecret(given: string | undefined): { secret: string; isNew: boolean } {
  const secret = given ?? process.env["AVOW_WEBHOOK_SECRET"] ?? "";
  if (secret === "")
    return { secret: `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`, isNew: true };
  if (/^whsec_[A-Za-z0-9+/]{4,}=*$/.test(secret)) return { secret, isNew: false };
  throw new UsageError("--secret: expected whsec_ and base64.");
}
