import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/**
 * Of these forms, by their content types, the one that `Accept` likes best (RFC 9110 section 12.5.1);
 * the first when it likes all alike, undefined when it likes none. Caches are told that it was asked.
 */
export function negotiate<T>(
  req: FastifyRequest,
  reply: FastifyReply,
  forms: ReadonlyMap<string, T>,
): T | undefined {
  void reply.header("vary", [reply.getHeader("vary"), "Accept"].filter(Boolean).join(", "));
  const liked = new Negotiator(req.raw).mediaType([...forms.keys()]);
  return liked === undefined ? undefined : forms.get(liked);
}

/** Of these languages, the one that `Accept-Language` likes best; the first when it likes none. */
export function negotiateLanguage<L extends string>(
  req: FastifyRequest,
  languages: readonly [L, ...L[]],
): L {
  const liked = new Negotiator(req.raw).language([...languages]);
  return languages.find((language) => language === liked) ?? languages[0];
}

/** Of these languages, those that `Accept-Language` likes, the best first. */
export function likeLanguages(req: FastifyRequest, languages: readonly string[]): string[] {
  return new Negotiator(req.raw).languages([...languages]);
}
