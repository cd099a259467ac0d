import { type OutboxPorts, type SendResult, openOutbox } from "./outbox.ts";

/** An answer to a displayed configuration. */
interface ConsentAnswer {
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  accept: boolean;
  language: string | undefined;
  preferences?: object;
  value?: unknown;
}

/** A display ticket, for one answer. Without one an answer has the assurance level `browser`. */
export interface Ticket {
  /** The ticket, as soon as the service has returned it. */
  ticket?: string | undefined;
  coming: Promise<unknown>;
}

/** A display to a visitor who is asked: the configuration, and the first step of a banner. */
type Display = Record<"identifier" | "step", string>;

/** The service, for one project. */
export interface Service {
  /**
   * Requests a display ticket, which proves the display of an answer. `shown` is counted anonymously as an impression. It
   * is empty if the visitor opened their choices, which is not counted.
   */
  noteDisplay(shown: Display | ""): Ticket;
  /**
   * Sends an answer with the visitor's token and the display ticket, which can be used once.
   * @throws Error as `Outbox.send`
   */
  send(answer: ConsentAnswer, token: string, display?: Ticket): Promise<SendResult>;
  /** Sends the entries of earlier pages. */
  flush(): Promise<void>;
}

/** Timeout of waiting for the ticket before an answer is sent. */
const TICKET_WAIT_MS = 1_000;

/** The page and the device of a visitor. */
export interface ServicePorts extends OutboxPorts {
  /** The address of the page without its query, for the record of an answer; undefined without a page. */
  toPageUrl(): string | undefined;
}

/** @param api base address of the service's API, such as `https://consent.example/v1` */
export function openService(
  api: string,
  { projectId, version }: { projectId: string; version?: number | undefined },
  ports: ServicePorts,
): Service {
  const route = (name: string): string => `${api}/app/${name}/${projectId}`;
  const url = route("consents");
  const outbox = openOutbox(url, ports);
  return {
    flush: outbox.flush,
    noteDisplay(shown) {
      const display: Ticket = {
        coming: askTicket(`${route("tickets")}?${new URLSearchParams(shown)}`, version, ports).then(
          (ticket) => (display.ticket = ticket),
        ),
      };
      return display;
    },
    send(answer, token, display) {
      const id = Date.now().toString(36) + newId();
      const body = {
        id,
        ...answer,
        token,
        ticket: display?.ticket,
        version,
        timestamp: new Date().toISOString(),
        url: ports.toPageUrl(),
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

/** Undefined when no ticket is returned. */
async function askTicket(
  url: string,
  version: number | undefined,
  { transport }: OutboxPorts,
): Promise<string | undefined> {
  try {
    const answer = await transport(url, { method: "POST" });
    const given = (await answer.json()) as { ticket?: string; version?: number };
    // The displayed version may be older than the live one.
    return given.version === version ? given.ticket : undefined;
  } catch {
    return undefined;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** 128 random bits. `randomUUID` is missing in insecure contexts (plain HTTP from another machine). */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join(
    "",
  );
}
