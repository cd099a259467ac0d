import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/**
 * Selects from `forms`, by content type, the one that `Accept` prefers (RFC 9110 section 12.5.1): the first without
 * a preference, undefined when none is acceptable. Adds `Accept` to `Vary`.
 */
export function negotiate<T>(
  req: FastifyRequest,
  reply: FastifyReply,
  forms: ReadonlyMap<string, T>,
): T | undefined {
  void reply.header("vary", [reply.getHeader("vary"), "Accept"].filter(Boolean).join(", "));
  const preferred = new Negotiator(req.raw).mediaType([...forms.keys()]);
  return preferred === undefined ? undefined : forms.get(preferred);
}

/** The language that `Accept-Language` prefers; the first when none is acceptable. */
export function negotiateLanguage<L extends string>(
  req: FastifyRequest,
  languages: readonly [L, ...L[]],
): L {
  const preferred = new Negotiator(req.raw).language([...languages]);
  return languages.find((language) => language === preferred) ?? languages[0];
}

/** The languages that `Accept-Language` accepts, the preferred ones first. */
export function listAcceptedLanguages(req: FastifyRequest, languages: readonly string[]): string[] {
  return new Negotiator(req.raw).languages([...languages]);
}
