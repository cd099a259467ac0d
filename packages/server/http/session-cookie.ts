import type { FastifyRequest } from "fastify";

/** The cookie that carries a session's token in a browser, where scripts cannot read it. */
export interface SessionCookies {
  /** The `set-cookie` header of a new session. */
  set(session: { token: string; expiresAt: Date }): string;
  /** The `set-cookie` header that deletes the cookie. */
  clear(): string;
  /**
   * The token in the cookie. Undefined for requests from pages of other origins, even where a browser sends
   * the cookie along.
   */
  find(req: Pick<FastifyRequest, "method" | "headers">): string | undefined;
}

const safeMethods = new Set(["GET", "HEAD"]);

/**
 * The session cookie: HttpOnly, SameSite=Strict, and with https also Secure and bound to the host (`__Host-`,
 * RFC 6265bis).
 */
export function openSessionCookies(publicUrl: string): SessionCookies {
  const isSecure = publicUrl.startsWith("https:");
  const name = isSecure ? "__Host-avow-session" : "avow-session";
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    set: ({ token, expiresAt }) =>
      `${name}=${token}; Expires=${expiresAt.toUTCString()}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    find(req) {
      const pair = (req.headers.cookie ?? "")
        .split(";")
        .map((one) => one.trim())
        .find((one) => one.startsWith(`${name}=`));
      const token = pair?.slice(name.length + 1);
      return token && isFromOwnPage(req, publicUrl) ? token : undefined;
    },
  };
}

/**
 * Whether a request comes from a page of this service, by `Sec-Fetch-Site` (Fetch Metadata). A write also needs
 * `Origin`, which browsers send with every write (Fetch standard) and no script can forge. `Origin` may be
 * the public address or the requested host: a page under another name of this service has no cookie of this
 * one.
 */
export function isFromOwnPage(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  publicUrl: string,
): boolean {
  const isSafe = safeMethods.has(method);
  const site = headers["sec-fetch-site"];
  // "none": a typed address or a bookmark.
  if (site !== undefined && site !== "same-origin" && !(isSafe && site === "none")) return false;
  const { origin } = headers;
  if (origin === undefined) return isSafe;
  return origin === new URL(publicUrl).origin || URL.parse(origin)?.host === headers.host;
}
