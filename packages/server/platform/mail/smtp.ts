import { createTransport } from "nodemailer";
import { codeOf } from "../errors.ts";
import { MailError, type Mails, type Sender, assertMail } from "./mail.ts";
import { toMessage } from "./message.ts";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, a required upgrade (STARTTLS), or none. */
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

/** Opens a mail server with at most two connections, which are reused and have timeouts. */
export function openSmtpMails({ server, login, from }: SmtpMailsOptions): Mails & Disposable {
  const transport = toTransport({ server, login });
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

/** Connects to a mail server and signs in, without sending. @throws MailError */
export async function assertSmtpAnswers(
  options: Pick<SmtpMailsOptions, "server" | "login">,
): Promise<void> {
  const transport = toTransport(options);
  try {
    await transport.verify();
  } catch (error) {
    throw toMailError(error);
  } finally {
    transport.close();
  }
}

function toTransport({ server, login }: Pick<SmtpMailsOptions, "server" | "login">) {
  return createTransport({
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
}

/** A server's response may contain the address, so the message has only its numbers. */
function toMailError(error: unknown): MailError {
  const { responseCode } = error as { responseCode?: unknown };
  const status = typeof responseCode === "number" ? responseCode : undefined;
  const code = codeOf(error) || "unknown";
  const answer = status === undefined ? "did not accept the mail" : `answered ${status}`;
  // RFC 5321, 4.2.1: 5yz is permanent. A rejected login is retried, since the operator can fix it.
  const isLasting = status !== undefined && status >= 500 && code !== "EAUTH";
  return new MailError(`The mail server ${answer} (${code}).`, { isLasting });
}
