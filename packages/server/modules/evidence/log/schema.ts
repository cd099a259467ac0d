import type { RecordedConsent, RecordedPublication } from "@avow/contract/record";
import { type Static, Type } from "typebox";

/** The languages of what is written for people: PDFs of proofs, and dossiers. */
export const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

const Recorded = Type.Record(Type.String(), Type.Unknown(), {
  description: "What is committed to, by its canonical form (RFC 8785).",
});
const place = {
  salt: Type.String({ description: "32 bytes in base64." }),
  proof: Type.String({ description: "A C2SP tlog-proof: the place in the signed tree." }),
};

/** All that somebody needs to check a consent without us. */
export const ProofBundleOut = Type.Object({
  format: Type.Literal("avow-proof-bundle/v1"),
  origin: Type.String({ description: "What the log calls itself." }),
  keys: Type.Array(Type.String(), {
    description:
      "The keys of all who signed the tree, the log and its witnesses, as C2SP signed-note verifier keys. Compare them with what you know.",
  }),
  consent: Type.Object({ record: Type.Unsafe<RecordedConsent>(Recorded), ...place }),
  publication: Type.Union([
    Type.Object({
      record: Type.Unsafe<RecordedPublication>(Recorded),
      ...place,
      content: Type.String({ description: "The published file, as it was hashed." }),
    }),
    Type.Null(),
  ]),
});
export type ProofBundleOut = Static<typeof ProofBundleOut>;

/** An erasure, without anything of who was erased. */
export const ErasureOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    erasedAt: Type.String({ format: "date-time" }),
    reason: Type.Enum(["request", "retention"], {
      description: "`retention`: the time for which proofs are kept was over.",
    }),
    orderedBy: Type.Union([Type.String(), Type.Null()], {
      description: "The user who asked for it; null where the schedule did.",
    }),
    count: Type.Integer({ description: "Records that were erased." }),
    links: Type.Object({
      self: Type.String({ description: "The receipt." }),
      project: Type.String(),
      erasures: Type.String(),
    }),
  },
  { title: "Erasure" },
);
export type ErasureOut = Static<typeof ErasureOut>;

/** All that somebody needs to check that something was erased, when and on whose order. */
export const ErasureReceiptOut = Type.Object({
  format: Type.Literal("avow-erasure-receipt/v1"),
  origin: Type.String({ description: "What the log calls itself." }),
  keys: Type.Array(Type.String(), {
    description: "The keys that signed, as C2SP signed-note verifier keys.",
  }),
  erasure: Type.Array(Type.Object({ record: Recorded, ...place }), {
    description: "Its entries in the log: one, and more of an erasure of thousands of records.",
  }),
});
export type ErasureReceiptOut = Static<typeof ErasureReceiptOut>;

export const ConsistencyIn = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0, description: "Leaves of the earlier tree." }),
  to: Type.Optional(
    Type.Integer({ minimum: 0, description: "Of the later; by default the last." }),
  ),
});

/** That one tree goes on from another (RFC 9162, section 2.1.4). */
export const ConsistencyOut = Type.Object({
  origin: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  proof: Type.Array(Type.String({ description: "A hash in base64." })),
  checkpoint: Type.String({ description: "The last signed tree." }),
});
export type ConsistencyOut = Static<typeof ConsistencyOut>;

/** A document of the log itself, with what proves its place. */
const Announced = Type.Object({
  record: Type.Record(Type.String(), Type.Unknown()),
  salt: Type.String({ description: "32 bytes in base64." }),
  index: Type.Integer({ description: "Its place in the log." }),
});

/** Who signs the log. */
export const LogKeysOut = Type.Object({
  origin: Type.String(),
  keys: Type.Array(Type.String({ description: "A C2SP signed-note verifier key." })),
  witnesses: Type.Array(Type.String({ description: "The same of a witness that cosigned last." })),
  announced: Type.Array(Announced, {
    description: "Entries of the log that name keys which came to sign it.",
  }),
});
export type LogKeysOut = Static<typeof LogKeysOut>;

/** The code that asked for consents, version by version. */
export const LogWidgetsOut = Type.Array(Announced);
export type LogWidgetsOut = Static<typeof LogWidgetsOut>;

/** A time-stamp of the log. */
export const TimestampOut = Type.Object({
  size: Type.Integer({ description: "How many entries the tree has that was stamped." }),
  time: Type.String({ format: "date-time", description: "By the authority's clock." }),
  links: Type.Object({
    timestamp: Type.String({ description: "The authority's answer (RFC 3161, DER)." }),
    checkpoint: Type.String({ description: "What it stamped, byte for byte." }),
  }),
});
