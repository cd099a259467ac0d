import { Type, type Static } from "typebox";
import { ConsentsQueryIn, Token } from "@avow/contract/consents";
import { languages } from "../../../log/schema.ts";

/** Maximum consents of an audit package. */
export const CONSENTS_MAX = 10_000;

const { start, end } = ConsentsQueryIn.properties;

/** Selects a person, a random sample, or a period. */
export const AuditPackageQueryIn = Type.Object({
  token: Type.Optional(
    Type.Unsafe<string>({
      ...Token,
      description: "a person's token, to select all of its consents",
    }),
  ),
  sample: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CONSENTS_MAX,
      description: "Size of a random sample; of the period, if one is given.",
    }),
  ),
  seed: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}]+$",
      description:
        "a seed of printable characters; the same seed selects the same sample, and a random one is stated in the index",
    }),
  ),
  start,
  end,
  language: Type.Optional(
    Type.Enum([...languages], {
      description: "Language of the texts for people. Default: by `Accept-Language`.",
    }),
  ),
});
export type AuditPackageQueryIn = Static<typeof AuditPackageQueryIn>;

/** A proof in a list. */
const ListedProofOut = Type.Object({
  consentId: Type.String({ format: "uuid" }),
  createdAt: Type.String({ format: "date-time" }),
  leaf: Type.Union([Type.Integer(), Type.Null()], {
    description: "The leaf index in the log; null until the consent is in the log.",
  }),
  links: Type.Record(Type.String(), Type.String()),
});

/** A page of the proofs of a token. */
export const ProofsOut = Type.Object({
  items: Type.Array(ListedProofOut),
  dossier: Type.String({
    description:
      "Address of the audit package with all of them. Not a link to follow automatically.",
  }),
  links: Type.Record(Type.String(), Type.String()),
});
export type ProofsOut = Static<typeof ProofsOut>;
