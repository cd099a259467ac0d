// Visitors of the kit: consents at a fixed rate, each retried with its key until it is answered 201.
import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Site } from "./site.ts";

const TICK_MS = 20;
/** Visitors that wait at once; beyond, no new ones arrive. */
const WAITING_MAX = 1_500;
const ATTEMPT_MS_MAX = 10_000;
const RETRY_MS = { min: 200, max: 600 };
/** One consent in this many is of the project with a webhook. */
const WATCHED_EVERY = 50;
const SOCKETS_MAX = 64;

/** A consent that was answered 201. */
export interface Acknowledged {
  token: string;
  consentId: string;
  isWatched: boolean;
}

export interface Load {
  /** Written to the file and flushed, in order. */
  acknowledged: readonly Acknowledged[];
  /** Times of the 201s, by `performance.now()`. */
  times: readonly number[];
  /** The number of responses other than 201 and 503. */
  errorCount(): number;
  /** Sends no new consents, and waits until all are answered. */
  finish(): Promise<void>;
  /** Sends nothing any more. */
  abort(): void;
}

/** Starts `perSecond` consents a second, whose tokens begin with `run`. */
export async function startLoad(
  site: Site,
  { run, perSecond, file }: { run: string; perSecond: number; file: string },
): Promise<Load> {
  const agents = site.nodes.map(() => new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX }));
  const acknowledged: Acknowledged[] = [];
  const times: number[] = [];
  let errors = 0;
  const handle = await open(file, "a");
  const flush = openFlush(handle, acknowledged);
  const stopping = new AbortController();
  let sent = 0;
  const waiting = new Set<Promise<void>>();

  const collect = async (number: number): Promise<void> => {
    const isWatched = number % WATCHED_EVERY === 0;
    const { path } = isWatched ? site.watched : site.main;
    const token = `${run}-${number}`;
    const key = randomUUID();
    for (let attempt = number; !stopping.signal.aborted; attempt += 1) {
      const at = attempt % site.nodes.length;
      const url = `${site.nodes[at]?.url}${path}`;
      const answer = await post(url, { key, token, agent: agents[at] }).catch(() => undefined);
      if (answer?.status === 201) {
        times.push(performance.now());
        const { consentId } = JSON.parse(answer.text) as { consentId: string };
        return flush({ token, consentId, isWatched });
      }
      // A node that is away has no response.
      if (answer && answer.status !== 503) errors += 1;
      await delay(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min));
    }
  };
  const startedAt = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const until = ((performance.now() - startedAt) / 1_000) * perSecond;
    for (; due < until; due += 1) {
      if (waiting.size >= WAITING_MAX) continue;
      const one = collect(sent++);
      waiting.add(one);
      void one.finally(() => waiting.delete(one)).catch(() => undefined);
    }
  }, TICK_MS);
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await Promise.all(waiting);
    for (const agent of agents) agent.destroy();
    await handle.close();
  };
  return {
    acknowledged,
    times,
    errorCount: () => errors,
    finish: close,
    abort() {
      stopping.abort();
      close().catch(() => undefined);
    },
  };
}

/** Writes lines in groups; each counts once its group is flushed to the disk. */
function openFlush(handle: FileHandle, acknowledged: Acknowledged[]) {
  let next: Acknowledged[] = [];
  let writing: Promise<void> | undefined;
  let later: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    const group = next;
    next = [];
    later = undefined;
    await handle.appendFile(
      group.map(({ token, consentId }) => `${token} ${consentId}\n`).join(""),
    );
    await handle.datasync();
    acknowledged.push(...group);
  };
  return (one: Acknowledged): Promise<void> => {
    next.push(one);
    later ??= (writing ?? Promise.resolve()).then(() => (writing = write()));
    return later;
  };
}

function post(
  url: string,
  { key, token, agent }: { key: string; token: string; agent: Agent | undefined },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      signal: AbortSignal.timeout(ATTEMPT_MS_MAX),
      ...(agent && { agent }),
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(JSON.stringify({ token, accept: true }));
  });
}
