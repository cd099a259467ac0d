import { join } from "node:path";
import { type Sender, isMailAddress } from "../platform/mail/mail.ts";
import type { MailSettings } from "../platform/mail/open.ts";
import type { SmtpLogin, SmtpServer } from "../platform/mail/smtp.ts";
import { type Kind, oneOf } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

const ADDRESS_LENGTH_MAX = 2_048;
const localHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Mail servers reject mails from it, so they need another. */
const defaultSender: Sender = { name: "Avow", address: "avow@localhost" };

const smtpAddress: Kind<{ server: SmtpServer; login: SmtpLogin | undefined }> = {
  expected:
    "smtps://user:password@host:465, smtp://user:password@host:587 (with STARTTLS), or smtp://host:25?tls=off",
  parse: (value) => {
    const url = value.length <= ADDRESS_LENGTH_MAX ? URL.parse(value) : null;
    if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
    if (!/^\/?$/.test(url.pathname) || !/^(?:\?tls=off)?$/.test(url.search) || url.hash !== "")
      return undefined;
    const isSecure = url.protocol === "smtps:";
    if (isSecure && url.search !== "") return undefined;
    const isPlain = url.search !== "" || localHosts.has(url.hostname);
    const login = parseLogin(url);
    if (login === "malformed") return undefined;
    const server = {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
      tls: isSecure ? "start" : isPlain ? "none" : "upgrade",
    } as const;
    return { server, login };
  },
};

function parseLogin({ username, password }: URL): SmtpLogin | undefined | "malformed" {
  if (username === "") return password === "" ? undefined : "malformed";
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return "malformed";
  }
}

/** `Name <address>`, or an address alone. */
const sender: Kind<Sender> = {
  expected: "an address such as Avow <avow@example.com>",
  parse: (value) => {
    const [, name = "", inside] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(value) ?? [];
    const address = inside ?? value;
    return isMailAddress(address) ? { name: name.trim(), address } : undefined;
  },
};

export const mail = {
  SMTP_URL: setting(smtpAddress, {
    defaultShown: "files in DATA_DIR/mails",
    description:
      "Mail server; ?tls=off leaves the connection unencrypted, for a relay in a private network.",
    secret: true,
  }),
  MAIL_FROM: setting(sender, {
    defaultShown: "Avow <avow@localhost>",
    requiredWith: ["SMTP_URL"],
    description: "Sender address of e-mails.",
  }),
  RIGHTS_BY_EMAIL: setting(oneOf(["confirmed", "any"]), {
    defaultShown: "confirmed with SMTP_URL, otherwise any",
    description:
      "Accounts that can be given a role by their e-mail address: those that confirmed it, or any; others are invited.",
  }),
};

/** Mail, and which accounts an address names where rights are given by it. */
export function toMailConfig(
  { SMTP_URL, MAIL_FROM, RIGHTS_BY_EMAIL }: ValuesOf<typeof mail>,
  dataDir: string,
): MailSettings & { readonly rightsByEmail: "confirmed" | "any" } {
  return {
    // Without a mail server, nobody can confirm an address.
    rightsByEmail: RIGHTS_BY_EMAIL ?? (SMTP_URL === undefined ? "any" : "confirmed"),
    from: MAIL_FROM ?? defaultSender,
    smtp: SMTP_URL?.server,
    folder: join(dataDir, "mails"),
  };
}
