import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Answer, ask } from "./http.ts";
import type { Site } from "./site.ts";

const CONNECTIONS = 24;
const BATCH_SIZE = 40;
/** Single consents sent for each batch. */
const SINGLES_FOR_BATCH = 60;
const PAUSE_MS_MAX = 60;
/** One request in this many is not retried, as when a visitor has left the page. */
const REQUESTS_PER_ABANDONED = 50;
/** Average number of consents of one visitor. */
const VISITS = 4;

/** A consent as it is sent, identified by its `url`. */
export interface SentConsent {
  token: string;
  collection: "cookies" | "processings";
  identifier: string;
  accept: boolean;
  url: string;
}

/** One request, retried with the same body and key until it is answered. */
interface Request {
  url: string;
  headers: Record<string, string>;
  json: unknown;
  consents: readonly SentConsent[];
  isAbandoned: boolean;
  status: number;
}

export interface Load {
  /** The consents that were sent at least once, by `url`. */
  sent: ReadonlyMap<string, SentConsent>;
  /** The consent ids of the answers, by `url`. */
  acknowledged: ReadonlyMap<string, string>;
  /** Requests that succeeded. */
  answered: readonly Request[];
  /** The last answer 503, and their number. */
  refused: { count: number; last: Answer | undefined };
  /** Requests whose connection failed before an answer. */
  unanswered: { count: number };
  /** Fulfilled when `count` consents are acknowledged; rejected when the load fails before. */
  reached(count: number): Promise<void>;
  /** Fulfilled when every request is answered, or after `stop` when those in progress are. */
  done: Promise<void>;
  /** Sends nothing from now on. */
  stop(): void;
}

/**
 * Sends `total` consents over many connections at once, some single and some in batches, until all are
 * answered or the test ends.
 */
export function startLoad(t: TestContext, site: Site, total: number): Load {
  const requests = makeRequests(site, total);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const sent = new Map<string, SentConsent>();
  const acknowledged = new Map<string, string>();
  const answered: Request[] = [];
  const refused: Load["refused"] = { count: 0, last: undefined };
  const unanswered: Load["unanswered"] = { count: 0 };
  const waiting: { count: number; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const stop = new AbortController();
  t.after(() => stop.abort());

  const take = (request: Request, answer: Answer): void => {
    answered.push(request);
    const body = JSON.parse(answer.text) as { consentId: string } | { consentId: string }[];
    for (const [at, { consentId }] of [body].flat().entries()) {
      const { url } = request.consents[at] as SentConsent;
      if (consentId === undefined) throw new Error(`no consent in ${answer.text}`);
      acknowledged.set(url, consentId);
    }
    for (const wait of waiting) if (acknowledged.size >= wait.count) wait.resolve();
  };
  const finish = async (request: Request): Promise<void> => {
    for (const consent of request.consents) sent.set(consent.url, consent);
    while (!stop.signal.aborted) {
      const answer = await ask(request.url, { ...request, agent }).catch(() => undefined);
      if (answer?.status === request.status) return take(request, answer);
      if (!answer) unanswered.count += 1;
      else if (answer.status === 503) {
        refused.count += 1;
        refused.last = answer;
      } else throw new Error(`${answer.status}: ${answer.text}`);
      if (request.isAbandoned) return;
      await delay(PAUSE_MS_MAX * (0.5 + Math.random() / 2));
    }
  };
  const work = async (): Promise<void> => {
    for (let next = requests.shift(); next && !stop.signal.aborted; next = requests.shift())
      await finish(next);
  };
  const done = Promise.all(Array.from({ length: CONNECTIONS }, work)).then(
    () => agent.destroy(),
    (error: unknown) => {
      stop.abort();
      for (const wait of waiting) wait.reject(error);
      throw error;
    },
  );
  // Callers that await `done` get the error; this only prevents an unhandled rejection before they do.
  done.catch(() => undefined);
  return {
    sent,
    acknowledged,
    answered,
    refused,
    unanswered,
    done,
    stop: () => stop.abort(),
    reached: (count) =>
      new Promise((resolve, reject) => void waiting.push({ count, resolve, reject })),
  };
}

function makeRequests(site: Site, total: number): Request[] {
  const requests: Request[] = [];
  const consents = Array.from({ length: total }, (_, at) => toConsent(site, at, total));
  while (consents.length > 0) {
    for (const consent of consents.splice(0, SINGLES_FOR_BATCH))
      requests.push(toSingle(site, consent));
    const batch = consents.splice(0, BATCH_SIZE);
    if (batch.length > 0) requests.push(toBatch(site, batch));
  }
  return requests.map((request, at) => ({
    ...request,
    isAbandoned: at % REQUESTS_PER_ABANDONED === REQUESTS_PER_ABANDONED - 1,
  }));
}

function toConsent({ identifiers }: Site, at: number, total: number): SentConsent {
  const collection = at % 3 === 0 ? "processings" : "cookies";
  return {
    token: `visitor-${(at * 7) % Math.ceil(total / VISITS)}`,
    collection,
    identifier: identifiers[collection],
    accept: at % 5 !== 0,
    url: `https://shop.example/page/${at}`,
  };
}

function toSingle({ address, id }: Site, consent: SentConsent): Request {
  const { collection, identifier, ...json } = consent;
  return {
    url: `${address}/v1/app/consents/${id}/${collection}/${identifier}`,
    headers: { "idempotency-key": randomUUID() },
    json,
    consents: [consent],
    isAbandoned: false,
    status: 201,
  };
}

function toBatch({ address, id }: Site, consents: readonly SentConsent[]): Request {
  return {
    url: `${address}/v1/app/consents/${id}`,
    headers: {},
    json: consents.map((consent) => ({ id: randomUUID(), ...consent })),
    consents,
    isAbandoned: false,
    status: 200,
  };
}
