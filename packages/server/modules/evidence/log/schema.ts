import type { RecordedConsent, RecordedPublication } from "@avow/contract/record";
import { type Static, Type } from "typebox";

/** The languages of PDFs of proofs and of audit packages. */
export const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

const Recorded = Type.Record(Type.String(), Type.Unknown(), {
  description: "The record that the log commits to, in its canonical form (RFC 8785).",
});
const place = {
  salt: Type.String({ description: "32 bytes in base64." }),
  proof: Type.String({ description: "A C2SP tlog-proof: the inclusion in the signed tree." }),
};

/** A self-contained proof of a consent, which can be verified without the service. */
export const ProofBundleOut = Type.Object({
  format: Type.Literal("avow-proof-bundle/v1"),
  origin: Type.String({ description: "The log's origin (C2SP tlog-checkpoint)." }),
  keys: Type.Array(Type.String(), {
    description:
      "The C2SP signed-note verifier keys of the log and of the witnesses that signed the tree. Compare them with the keys that you trust.",
  }),
  consent: Type.Object({ record: Type.Unsafe<RecordedConsent>(Recorded), ...place }),
  publication: Type.Union([
    Type.Object({
      record: Type.Unsafe<RecordedPublication>(Recorded),
      ...place,
      content: Type.String({ description: "The published file, byte for byte as hashed." }),
    }),
    Type.Null(),
  ]),
});
export type ProofBundleOut = Static<typeof ProofBundleOut>;

/** An erasure, without personal data. */
export const ErasureOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    erasedAt: Type.String({ format: "date-time" }),
    reason: Type.Enum(["request", "retention"], {
      description: "`retention`: the retention period ended.",
    }),
    orderedBy: Type.Union([Type.String(), Type.Null()], {
      description: "The user who requested it; null for the retention schedule.",
    }),
    count: Type.Integer({ description: "Number of erased records." }),
    links: Type.Object({
      self: Type.String({ description: "The receipt." }),
      project: Type.String(),
      erasures: Type.String(),
    }),
  },
  { title: "Erasure" },
);
export type ErasureOut = Static<typeof ErasureOut>;

/** A self-contained proof that records were erased, when, and who requested it. */
export const ErasureReceiptOut = Type.Object({
  format: Type.Literal("avow-erasure-receipt/v1"),
  origin: Type.String({ description: "The log's origin (C2SP tlog-checkpoint)." }),
  keys: Type.Array(Type.String(), {
    description: "The C2SP signed-note verifier keys that signed the tree.",
  }),
  erasure: Type.Array(Type.Object({ record: Recorded, ...place }), {
    description:
      "The log entries of the erasure: one, or several for an erasure of thousands of records.",
  }),
});
export type ErasureReceiptOut = Static<typeof ErasureReceiptOut>;

export const ConsistencyIn = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0, description: "Size of the earlier tree." }),
  to: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Size of the later tree. Default: the size of the latest.",
    }),
  ),
});

/** A consistency proof between two trees (RFC 9162, section 2.1.4). */
export const ConsistencyOut = Type.Object({
  origin: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  proof: Type.Array(Type.String({ description: "A hash in base64." })),
  checkpoint: Type.String({ description: "The latest checkpoint." }),
});
export type ConsistencyOut = Static<typeof ConsistencyOut>;

/** A document of the log itself, with its salt and leaf index. */
const Announcement = Type.Object({
  record: Type.Record(Type.String(), Type.Unknown()),
  salt: Type.String({ description: "32 bytes in base64." }),
  index: Type.Integer({ description: "The leaf index." }),
});

/** The keys that sign the log. */
export const LogKeysOut = Type.Object({
  origin: Type.String(),
  keys: Type.Array(Type.String({ description: "A C2SP signed-note verifier key." })),
  witnesses: Type.Array(
    Type.String({ description: "The verifier key of a witness of the newest cosigned tree." }),
  ),
  announced: Type.Array(Announcement, {
    description: "Entries of the log that announce new signing keys.",
  }),
});
export type LogKeysOut = Static<typeof LogKeysOut>;

/** Every version of the widget that asked for consents. */
export const LogWidgetsOut = Type.Array(Announcement);
export type LogWidgetsOut = Static<typeof LogWidgetsOut>;

/** A time-stamp of the log. */
export const TimestampOut = Type.Object({
  size: Type.Integer({ description: "Size of the time-stamped tree." }),
  time: Type.String({ format: "date-time", description: "By the authority's clock." }),
  links: Type.Object({
    timestamp: Type.String({ description: "The authority's response (RFC 3161, DER)." }),
    checkpoint: Type.String({ description: "The time-stamped checkpoint, byte for byte." }),
  }),
});
