import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail as the server received it. */
interface ReceivedMail {
  /** Whether the connection used TLS. */
  isEncrypted: boolean;
  from: string;
  to: string[];
  /** The raw message with its header. */
  raw: string;
  email: Email;
}

export interface SmtpStandIn extends AsyncDisposable {
  port: number;
  taken: ReceivedMail[];
  /** Answers recipients with this status from now on; undefined accepts them. */
  refuse(status: number | undefined): void;
}

/** The server's TLS: offered by STARTTLS or implicit; with its own certificate or the library's default. */
export interface SmtpTls {
  startTls?: boolean;
  secure?: boolean;
  key?: string;
  cert?: string;
}

/** Opens a real mail server on this machine that requires `user` and `password`. */
export async function openSmtpServer(
  login: { user: string; password: string },
  { startTls = false, ...tls }: SmtpTls = {},
): Promise<SmtpStandIn> {
  const taken: ReceivedMail[] = [];
  let refusal: number | undefined;
  const server = new SMTPServer({
    hideSTARTTLS: !startTls,
    ...tls,
    logger: false,
    allowInsecureAuth: true,
    onAuth(auth, _session, answer) {
      const isRight = auth.username === login.user && auth.password === login.password;
      if (isRight) answer(null, { user: login.user });
      else answer(new Error("wrong login"));
    },
    onRcptTo(address, _session, answer) {
      if (refusal === undefined) return answer();
      answer(Object.assign(new Error(`no ${address.address}`), { responseCode: refusal }));
    },
    onData(stream, { envelope, secure }, answer) {
      const take = async (): Promise<void> => {
        const raw = Buffer.concat(await stream.toArray());
        taken.push({
          isEncrypted: secure,
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: raw.toString("utf8"),
          email: await PostalMime.parse(raw),
        });
      };
      take().then(
        () => answer(),
        (error: Error) => answer(error),
      );
    },
  });
  // A client that does not trust the certificate disconnects; the test sees that in the client.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    port: (listening.address() as AddressInfo).port,
    taken,
    refuse: (status) => {
      refusal = status;
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
