import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import type { Page, PageQuery } from "../../kernel/page.ts";

const LINK_LENGTH_MAX = 6_000;

/** The query of every list that is a bare array (wire section 0). */
export const PageQueryIn = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "1-based." }),
  perPage: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  sort: Type.Optional(
    Type.String({ maxLength: 512, description: "`field,-other`: ascending, then descending." }),
  ),
});
export type PageQueryIn = Static<typeof PageQueryIn>;

/**
 * Sets the page headers and returns the page's items as a bare array (wire section 0, RFC 8288). A very long
 * query gets no `Link`; the other headers suffice.
 */
export function answerPage<T>(
  { req, reply, publicUrl }: { req: FastifyRequest; reply: FastifyReply; publicUrl: string },
  query: PageQuery,
  page: Page<T>,
): T[] {
  const last = Math.max(1, Math.ceil(page.total / query.perPage));
  const at = (number: number): string => {
    const url = new URL(req.url, publicUrl);
    url.searchParams.delete("access_token");
    url.searchParams.set("page", String(number));
    return `${publicUrl}${url.pathname}${url.search}`;
  };
  const links = [`<${at(1)}>; rel="first"`];
  if (query.page > 1) links.push(`<${at(Math.min(query.page - 1, last))}>; rel="prev"`);
  if (query.page < last) links.push(`<${at(query.page + 1)}>; rel="next"`);
  links.push(`<${at(last)}>; rel="last"`);
  const link = links.join(", ");
  void reply.headers({
    "x-total-count": String(page.total),
    "x-page": String(query.page),
    "x-per-page": String(query.perPage),
    "x-last-page": String(last),
    // Clients and proxies limit the size of headers.
    ...(link.length <= LINK_LENGTH_MAX ? { link } : {}),
  });
  return page.items;
}
