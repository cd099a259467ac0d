import type { Kind } from "./setting-kinds.ts";
import { isMailAddress } from "../platform/mail/mail.ts";
import type { SmtpLogin, SmtpServer } from "../platform/mail/smtp.ts";

const LENGTH_MAX = 2_048;
const localHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A mail server's address, and who signs in there. */
export const smtpAddress: Kind<{ server: SmtpServer; login: SmtpLogin | undefined }> = {
  expected:
    "smtps://user:password@host:465, smtp://user:password@host:587 (STARTTLS is then asked for), or smtp://host:25?tls=off",
  read: (value) => {
    const url = value.length <= LENGTH_MAX ? URL.parse(value) : null;
    if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") return undefined;
    if (!/^\/?$/.test(url.pathname) || !/^(?:\?tls=off)?$/.test(url.search) || url.hash !== "")
      return undefined;
    const isSecure = url.protocol === "smtps:";
    if (isSecure && url.search !== "") return undefined;
    const isPlain = url.search !== "" || localHosts.has(url.hostname);
    const login = toLogin(url);
    if (login === "malformed") return undefined;
    const server = {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
      tls: isSecure ? "start" : isPlain ? "none" : "upgrade",
    } as const;
    return { server, login };
  },
};

function toLogin({ username, password }: URL): SmtpLogin | undefined | "malformed" {
  if (username === "") return password === "" ? undefined : "malformed";
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return "malformed";
  }
}

/** `Name <address>`, or an address alone. */
export const mailSender: Kind<{ name: string; address: string }> = {
  expected: "an address such as Avow <avow@example.com>",
  read: (value) => {
    const [, name = "", inside] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(value) ?? [];
    const address = inside ?? value;
    return isMailAddress(address) ? { name: name.trim(), address } : undefined;
  },
};
