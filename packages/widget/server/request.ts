/** A request of the Fetch API, of Node, Express, Fastify or Hono (`c.req.raw`). */
export interface RequestLike {
  /** An address, or a path. */
  url?: string | undefined;
  headers: { get(name: string): string | null } | Readonly<Record<string, unknown>>;
}

/** Longer headers are ignored: browsers send less than that. */
const LENGTH_MAX = 32_768;
const LANGUAGES_MAX = 10;

/** The value of a header by its lower-case name; several are joined (RFC 9110, 5.3; cookies: RFC 9113, 8.2.3). */
export function findHeader({ headers }: RequestLike, name: string): string | undefined {
  const { get } = headers as { get?: (name: string) => string | null };
  const value: unknown =
    typeof get === "function"
      ? get.call(headers, name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  const text = Array.isArray(value) ? value.join(name === "cookie" ? "; " : ", ") : value;
  return typeof text === "string" && text.length <= LENGTH_MAX ? text : undefined;
}

/** All values of a cookie: a parent domain may have one of the same name (RFC 6265, 5.4). */
export function listCookies(request: RequestLike, name: string): string[] {
  const pairs = (findHeader(request, "cookie") ?? "").split(/;\s*/);
  return pairs.filter((one) => one.startsWith(`${name}=`)).map((one) => one.slice(name.length + 1));
}

/** The languages of `Accept-Language`, the preferred one first (RFC 9110, 12.5.4). */
export function listLanguages(request: RequestLike): string[] {
  const ranges = (findHeader(request, "accept-language") ?? "").split(",").flatMap((range) => {
    const [tag = "", ...parameters] = range.trim().split(/\s*;\s*/);
    const quality = Number(/^q=([\d.]+)$/.exec(parameters.at(-1) ?? "")?.[1] ?? 1);
    return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) && quality > 0 ? [{ tag, quality }] : [];
  });
  const sorted = ranges.toSorted((a, b) => b.quality - a.quality).map(({ tag }) => tag);
  return sorted.slice(0, LANGUAGES_MAX);
}

/** The path of the requested page. */
export function toRequestPath({ url = "/" }: RequestLike): string {
  return /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/.exec(url)?.[1] ?? "/";
}
