import { openOutbox, type Sent } from "./outbox.ts";
import { request } from "./request.ts";

/** An answer to what is shown. */
interface Answered {
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  accept: boolean;
  language: string | undefined;
  preferences?: object;
  value?: unknown;
}

/** For one display and the one answer to it; without one an answer is kept all the same, and graded `browser`. */
export interface Ticket {
  /** What the service gave, once it has. */
  ticket?: string | undefined;
  coming: Promise<unknown>;
}

/** What is put in front of a visitor who is asked: a configuration, and of a banner the step that comes first. */
type Shown = Record<"identifier" | "step", string>;

/** The service, for one project. */
export interface Service {
  /**
   * Tells the service that something is shown: an answer proves it by the display ticket. `shown` is counted,
   * by nobody's name; where it is empty nothing is, since whoever opens their choices was not asked.
   */
  noteDisplay(shown: Shown | ""): Ticket;
  /**
   * Sends an answer with the visitor's token and the ticket of what was answered, which counts once.
   * @throws Error as `Outbox.send`
   */
  send(answer: Answered, token: string, display?: Ticket): Promise<Sent>;
  /** Sends what earlier pages could not. */
  flush(): Promise<void>;
}

/** An answer does not wait longer for its ticket. */
const TICKET_WAIT_MS = 1_000;

/** @param api base address of the service's API, such as `https://consent.example/v1` */
export function openService(
  api: string,
  { projectId, version }: { projectId: string; version: number | undefined },
): Service {
  const route = (name: string): string => `${api}/app/${name}/${projectId}`;
  const url = route("consents");
  const outbox = openOutbox(url);
  return {
    flush: outbox.flush,
    noteDisplay(shown) {
      const display: Ticket = {
        coming: askTicket(`${route("tickets")}?${new URLSearchParams(shown)}`, version).then(
          (ticket) => (display.ticket = ticket),
        ),
      };
      return display;
    },
    send(answer, token, display) {
      const id = Date.now().toString(36) + newId();
      const page = location.origin + location.pathname;
      const body = {
        id,
        ...answer,
        token,
        ticket: display?.ticket,
        version,
        timestamp: new Date().toISOString(),
        url: page.startsWith("http") ? page : undefined,
      };
      const coming =
        display &&
        Promise.race([display.coming, sleep(TICKET_WAIT_MS)]).then(
          () => (body.ticket = display.ticket),
        );
      return outbox.send({ id, url, body }, coming);
    },
  };
}

/** Undefined where none is given. */
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
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    "",
  );
}
