import type { ConsentOut } from "@avow/contract/consents";
import type { Transport } from "./transport.ts";

/** A consent to be sent, for the service's batch route (wire section 4). */
export interface Entry {
  /** Generated here, so that a retry adds nothing; sortable by time. */
  id: string;
  /** The batch route of the project. */
  url: string;
  body: object;
}

/** The result of sending an entry: the service's consent, or `kept` to be sent later. */
export type SendResult = { consent: ConsentResult } | "kept";

/** A consent, or the problem (RFC 9457) of a rejected one. */
type ConsentResult = Partial<ConsentOut> & { detail?: unknown };

/** The network, and the storage of unsent entries. Promises of the storage reject when it is blocked or full. */
export interface OutboxPorts {
  transport: Transport;
  /** The oldest entries of all projects. */
  listEntries(): Promise<readonly Entry[]>;
  putEntry(entry: Entry): Promise<unknown>;
  removeEntry(id: string): Promise<unknown>;
}

const RETRY_MS = 20_000;
/** Maximum length with `keepalive`, whose body is limited to 64 KiB (Fetch, HTTP-network-or-cache fetch). */
const KEEPALIVE_LENGTH_MAX = 30_000;

/**
 * Sends consents, exactly once and in order. Each is sent immediately, and kept on the device until the service has
 * responded. Failed ones are retried every 20 seconds, when the network is back, or on a later page.
 */
export interface Outbox {
  /**
   * Sends an entry as soon as `coming` has settled, which may complete its body.
   * @throws Error when the service rejects it, or it can be neither sent nor kept
   */
  send(entry: Entry, coming?: Promise<unknown>): Promise<SendResult>;
  /** Sends the entries of earlier pages. */
  flush: () => Promise<void>;
}

/** Opens the outbox of `url`. */
export function openOutbox(url: string, ports: OutboxPorts): Outbox {
  /** Entries to send, oldest first. */
  let waiting: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const loading = ports.listEntries().then(
    (kept) => (waiting = [...kept.filter((entry) => entry.url === url), ...waiting]),
    () => undefined,
  );
  const deliver = async (): Promise<Map<string, ConsentResult>> => {
    const entries = waiting;
    waiting = [];
    const answers = await post(url, entries, ports).catch(() => new Map<string, ConsentResult>());
    waiting = [...entries.filter(({ id }) => !answers.has(id)), ...waiting];
    for (const id of answers.keys()) ports.removeEntry(id).catch(() => undefined);
    clearTimeout(timer);
    if (waiting.length) timer = setTimeout(flush, RETRY_MS);
    return answers;
  };
  const flush = async (): Promise<void> => {
    await loading;
    if (waiting.length) await deliver();
  };
  return {
    flush,
    async send(entry, coming) {
      const keeping = ports.putEntry(entry).then(Boolean, () => false);
      await coming;
      // Does not wait for storage before the request, because the page may be left at any moment.
      waiting.push(entry);
      const answer = (await deliver()).get(entry.id);
      if (!answer && !(await keeping)) throw new Error("offline");
      if (answer && !answer.consentId) throw new Error(answer.detail as string);
      return answer ? { consent: answer } : "kept";
    },
  };
}

/**
 * Sends entries as plain text, like beacons, which needs no CORS preflight. Returns the service's result of each; entries
 * without a result are to be retried.
 * @throws Error when the service does not respond
 */
async function post(
  url: string,
  entries: readonly Entry[],
  ports: Pick<OutboxPorts, "transport">,
): Promise<Map<string, ConsentResult>> {
  const body = JSON.stringify(entries.map((entry) => entry.body));
  const keepalive = body.length < KEEPALIVE_LENGTH_MAX;
  const answer = await ports.transport(url, { method: "POST", body, keepalive });
  const answers = new Map<string, ConsentResult>();
  // Rate limiting (429) and server errors are temporary. Any other status is permanent: the entries are sent one by one,
  // so that a rejected entry does not block the others.
  if (!answer.ok && answer.status < 500 && answer.status !== 429)
    for (const entry of entries) {
      const refused = new Map([[entry.id, { detail: answer.status }]]);
      const each = entries[1] ? await post(url, [entry], ports).catch(() => []) : refused;
      for (const [id, one] of each) answers.set(id, one);
    }
  const given = answer.ok ? ((await answer.json()) as (ConsentResult | undefined)[]) : [];
  for (const [at, { id }] of entries.entries()) {
    const one = given[at];
    if (one) answers.set(id, one);
  }
  return answers;
}
