import { openOutbox, type Sent } from "./outbox.ts";
import { request } from "./request.ts";

/** An answer to what is shown. */
export interface Answered {
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  accept: boolean;
  language: string | undefined;
  preferences?: object;
  value?: unknown;
}

/** On its way from the service, for one display and the one answer to it; undefined where there is none. */
export type Ticket = Promise<string | undefined>;

/** The service, for one project. */
export interface Service {
  /** Tells the service that something is shown: an answer proves it by the display ticket. */
  noteDisplay(): Ticket;
  /**
   * Sends an answer with the visitor's token and the ticket of what was answered, which counts once.
   * @throws Error as `Outbox.send`
   */
  send(answer: Answered, token: string, ticket?: Ticket): Promise<Sent>;
  /** Sends what earlier pages could not. */
  flush(): Promise<unknown>;
}

/** An answer does not wait longer for its ticket. */
const TICKET_WAIT_MS = 1_000;

/** @param api base address of the service's API, such as `https://consent.example/v1` */
export function openService(
  api: string,
  { projectId, version }: { projectId: string; version: number | undefined },
): Service {
  const outbox = openOutbox();
  const route = (name: string): string => `${api}/app/${name}/${encodeURIComponent(projectId)}`;
  return {
    flush: () => outbox.flush(),
    noteDisplay: () => askTicket(route("tickets"), version),
    send(answer, token, ticket) {
      const id = Date.now().toString(36) + newId();
      const url = location.origin + location.pathname;
      const body = {
        id,
        ...answer,
        token,
        timestamp: new Date().toISOString(),
        url: url.startsWith("http") ? url : undefined,
      };
      return outbox.send({ id, url: route("consents"), body }, async () => ({
        ticket: await Promise.race([ticket, sleep(TICKET_WAIT_MS)]),
      }));
    },
  };
}

/** Without a ticket an answer is kept all the same, and graded `browser`. */
async function askTicket(url: string, version: number | undefined): Promise<string | undefined> {
  try {
    const answer = await request(url, { method: "POST" });
    const given = (await answer.json()) as { ticket?: string; version?: number };
    // What is shown may be older than what is live by now.
    return given.version === version ? given.ticket : undefined;
  } catch {
    return undefined;
  }
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** 128 random bits; `randomUUID` is missing where a page comes over plain HTTP from another machine. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
