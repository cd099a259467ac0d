import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail as a mail server took it. */
interface TakenMail {
  /** Whether it came over TLS. */
  isEncrypted: boolean;
  from: string;
  to: string[];
  /** As it was sent, with its header. */
  raw: string;
  email: Email;
}

export interface SmtpStandIn extends AsyncDisposable {
  port: number;
  taken: TakenMail[];
  /** Answers recipients with this status from now on; undefined: takes them. */
  refuse(status: number | undefined): void;
}

/** How it speaks TLS: offered (STARTTLS), or from the start; with a certificate of its own or nobody's. */
export interface SmtpTls {
  startTls?: boolean;
  secure?: boolean;
  key?: string;
  cert?: string;
}

/** Opens a real mail server on this machine that asks for `user` and `password`. */
export async function openSmtpServer(
  login: { user: string; password: string },
  { startTls = false, ...tls }: SmtpTls = {},
): Promise<SmtpStandIn> {
  const taken: TakenMail[] = [];
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
  // Who does not trust it hangs up; the test sees that on the other end.
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
