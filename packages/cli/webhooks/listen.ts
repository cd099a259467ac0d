import { randomBytes } from "node:crypto";
import type { Client } from "@avow/client";
import { type Event as WebhookEvent, listEvents } from "@avow/client/operations";
import { sleep } from "@avow/client/retry";
import { readArguments } from "../terminal/arguments.ts";
import { UsageError } from "../terminal/errors.ts";
import { type Page, type ReadPage, readPage, waitForPage } from "./events.ts";
import { type Forward, forwardEvent } from "./forward.ts";

const help = `Usage: avow webhooks listen --forward URL [--events NAMES] [--project PROJECT]

Polls the service for new events, and posts each one to a program of yours, signed like a webhook. This
machine does not have to be reachable from outside, and no webhook is created. Each event is forwarded
once, whatever the response. While the service is unreachable the command retries, and then resumes at
the next event. Stop it with Ctrl-C. AVOW_TOKEN can be an API key with the scope webhooks:read;
consents also need consents:read.

  --forward URL      the destination, such as http://127.0.0.1:3000/hook
  --events NAMES     event names, separated by commas (default: all), such as consent.created
  --project PROJECT  only events of this project
  --secret SECRET    the signing secret, whsec_…; prefer AVOW_WEBHOOK_SECRET (default: a new secret,
                     which is printed)
  --count N          stop after N events
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

/** Runs `avow webhooks listen`; returns the exit status. */
export async function listen(args: string[], signal: AbortSignal): Promise<number> {
  const given = readArguments(args, { help, options, positionals: [] });
  if (!given) return 0;
  const { client, progress, text } = given;
  const url = readForward(text("forward"));
  const count = readCount(text("count"));
  const { secret, isNew } = readSecret(text("secret"));
  const events = text("events");
  const projectId = text("project");
  const query = {
    ...(events === undefined ? {} : { events }),
    ...(projectId === undefined ? {} : { projectId }),
  };
  const begin = await readPage(client, (call) => client.send(listEvents, { query }, call), signal);
  progress.say(`Listening to ${client.url}, forwarding to ${url}. Press Ctrl-C to stop.`);
  if (isNew) progress.say(`Signing secret: ${secret}`);
  const forward = { url, secret, signal };
  let next = begin.links.next;
  for (let seen = 0; seen < count && next !== undefined;) {
    const { items, links } = await waitForPage(client, toLater(client, next), { signal, progress });
    for (const event of items.slice(0, count - seen)) await forwardAndPrint(event, forward);
    seen += items.length;
    next = links.next;
    if (items.length === 0) await sleep(POLL_MS, signal);
  }
  return 0;
}

function toLater(client: Client, link: string): ReadPage {
  return (call) => client.send(client.toLinked<Page>(link), undefined, call);
}

async function forwardAndPrint(event: WebhookEvent, forward: Forward): Promise<void> {
  const { outcome, isAccepted } = await forwardEvent(event, forward);
  const time = event.timestamp.slice(11, 19);
  process.stdout.write(
    `${time} ${isAccepted ? "✓" : "✗"} ${event.type} ${event.id} → ${outcome}\n`,
  );
}

function readForward(given: string | undefined): string {
  if (given === undefined)
    throw new UsageError(
      "--forward is missing. Add it, such as --forward http://127.0.0.1:3000/hook.",
    );
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
