import { createTransport } from "nodemailer";
import { codeOf } from "../errors.ts";
import { MailError, type Mails, type Sender, assertMail } from "./mail.ts";
import { toMessage } from "./message.ts";

/** A mail server, and how the connection to it is kept secret. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, an upgrade to it before anything is told (STARTTLS), or none. */
  readonly tls: "start" | "upgrade" | "none";
}

export interface SmtpLogin {
  readonly user: string;
  readonly password: string;
}

export interface SmtpMailsOptions {
  server: SmtpServer;
  login: SmtpLogin | undefined;
  from: Sender;
}

const CONNECTIONS_MAX = 2;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;

/** Opens the way to a mail server: at most two connections, kept for the next mails, all with time-outs. */
export function openSmtpMails({ server, login, from }: SmtpMailsOptions): Mails & Disposable {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    host: server.host,
    port: server.port,
    secure: server.tls === "start",
    requireTLS: server.tls === "upgrade",
    ignoreTLS: server.tls === "none",
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    tls: { minVersion: "TLSv1.2" },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    async sendMail(mail) {
      assertMail(mail);
      try {
        await transport.sendMail(toMessage(mail, from));
      } catch (error) {
        throw toMailError(error);
      }
    },
    [Symbol.dispose]: () => transport.close(),
  };
}

/** What servers answer may name the address, so only its numbers are told. */
function toMailError(error: unknown): MailError {
  const { responseCode } = error as { responseCode?: unknown };
  const status = typeof responseCode === "number" ? responseCode : undefined;
  const code = codeOf(error) || "unknown";
  const answer = status === undefined ? "did not take it" : `answered ${status}`;
  // RFC 5321, 4.2.1: 5yz is lasting. A login that is refused is the operator's to mend: tried again.
  const isLasting = status !== undefined && status >= 500 && code !== "EAUTH";
  return new MailError(`The mail server ${answer} (${code}).`, { isLasting });
}
