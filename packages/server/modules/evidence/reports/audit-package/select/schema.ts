import { Type, type Static } from "typebox";
import { ConsentsQueryIn, Token } from "@avow/contract/consents";
import { languages } from "../../../log/schema.ts";

/** Consents of one dossier at most. */
export const CONSENTS_MAX = 10_000;

const { start, end } = ConsentsQueryIn.properties;

/** What a dossier is of: a person, a random sample, or a period. */
export const DossierQueryIn = Type.Object({
  token: Type.Optional(
    Type.Unsafe<string>({
      ...Token,
      description: "the token of a person, for every consent of it",
    }),
  ),
  sample: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CONSENTS_MAX,
      description: "A random sample of so many consents, of the period where one is given.",
    }),
  ),
  seed: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      pattern: "^[^\\p{Cc}\\p{Zl}\\p{Zp}]+$",
      description:
        "printable characters that the sample is drawn by: the same draw the same; by default random ones, which the index names",
    }),
  ),
  start,
  end,
  language: Type.Optional(
    Type.Enum([...languages], {
      description: "Of what people read in it; by default by `Accept-Language`.",
    }),
  ),
});
export type DossierQueryIn = Static<typeof DossierQueryIn>;

/** One proof of a list: where it is, and whether it is there already. */
const ListedProofOut = Type.Object({
  consentId: Type.String({ format: "uuid" }),
  createdAt: Type.String({ format: "date-time" }),
  leaf: Type.Union([Type.Integer(), Type.Null()], {
    description: "The index in the log; null while it waits for its place there.",
  }),
  links: Type.Record(Type.String(), Type.String()),
});

/** A page of the proofs of a token. */
export const ProofsOut = Type.Object({
  items: Type.Array(ListedProofOut),
  dossier: Type.String({
    description: "Where the archive of all of them is made; no link to follow.",
  }),
  links: Type.Record(Type.String(), Type.String()),
});
export type ProofsOut = Static<typeof ProofsOut>;
