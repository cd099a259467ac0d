import type { FastifyRequest } from "fastify";

/** What names a session to the service where a browser keeps it, out of the reach of scripts. */
export interface SessionCookies {
  /** What `set-cookie` says: the token until it ends. */
  set(session: { token: string; expiresAt: Date }): string;
  /** What `set-cookie` says to end it. */
  clear(): string;
  /**
   * The token that came in the cookie, where it counts: a page of another site, or of another origin of
   * the same site, makes no request with it, even where a browser would send it along.
   */
  find(req: Pick<FastifyRequest, "method" | "headers">): string | undefined;
}

const safeMethods = new Set(["GET", "HEAD"]);

/**
 * The cookie of sessions: HttpOnly, SameSite=Strict, over https Secure and bound to the host (`__Host-`,
 * RFC 6265bis). `publicUrl` is where browsers reach the service.
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
 * Whether a request comes from a page of this service, as far as the browser tells: by `Sec-Fetch-Site`
 * (Fetch Metadata), and for whatever writes by `Origin` too, which browsers send with every such request
 * (the Fetch standard) and no script can forge. `Origin` may name the public address, or the host that was
 * asked: a page under another name of this service has no cookie of this one.
 */
export function isFromOwnPage(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  publicUrl: string,
): boolean {
  const isSafe = safeMethods.has(method);
  const site = headers["sec-fetch-site"];
  // "none": an address that somebody typed, or a bookmark.
  if (site !== undefined && site !== "same-origin" && !(isSafe && site === "none")) return false;
  const { origin } = headers;
  if (origin === undefined) return isSafe;
  return origin === new URL(publicUrl).origin || URL.parse(origin)?.host === headers.host;
}
