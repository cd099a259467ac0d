import { Type, type Static } from "typebox";
import { ConsentsQueryIn, Links } from "@avow/contract/consents";

/** What a file of each format is. */
export const contentTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const;

export const Format = Type.Union(
  [Type.Literal("csv"), Type.Literal("ndjson"), Type.Literal("parquet")],
  { description: "How the file is written." },
);
export type Format = Static<typeof Format>;

const id = Type.String({ maxLength: 64 });
export const ExportParams = Type.Object({ projectId: id, format: Format });
export const ManifestParams = Type.Object({ projectId: id, exportId: id });

const { start, end, token, collection, identifier, accept } = ConsentsQueryIn.properties;

/** The query of an export (wire section 4). */
export const ExportQueryIn = Type.Object({
  start,
  end,
  token,
  collection,
  identifier,
  accept,
  after: Type.Optional(
    Type.String({
      format: "uuid",
      description: "Goes on after this consent: the last one that an earlier export brought.",
    }),
  ),
});
export type ExportQueryIn = Static<typeof ExportQueryIn>;

const Instant = Type.String({ format: "date-time" });

/** How far an export has come, and how to know that a file of it is whole. */
export const ExportManifestOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    format: Format,
    state: Type.Union([Type.Literal("running"), Type.Literal("done"), Type.Literal("cut")]),
    complete: Type.Boolean({ description: "Whether all of it was written." }),
    filters: Type.Object({}, { additionalProperties: true }),
    from: Type.Union([Instant, Type.Null()], { description: "Records since then; null: all." }),
    to: Type.String({
      format: "date-time",
      description: "Records before then: `end`, or a millisecond after the export was asked for.",
    }),
    heldBack: Type.Optional(
      Type.Boolean({
        description:
          "It ends earlier than it was asked to, since something was being collected for more than ten seconds: ask for what is `after` its last record later.",
      }),
    ),
    after: Type.Optional(Type.String({ format: "uuid" })),
    first: Type.Union([Type.String({ format: "uuid" }), Type.Null()]),
    last: Type.Union([Type.String({ format: "uuid" }), Type.Null()]),
    count: Type.Integer({ description: "Records." }),
    bytes: Type.Integer({ description: "Of the file; of NDJSON without its last line." }),
    sha256: Type.Union([Type.String(), Type.Null()], {
      description: "Of these bytes, in hexadecimal; null until it is complete.",
    }),
    log: Type.Union(
      [
        Type.Object({
          origin: Type.String({ description: "What the log calls itself." }),
          size: Type.Integer({ description: "Entries." }),
          checkpoint: Type.String({ description: "The signed tree (C2SP tlog-checkpoint)." }),
        }),
        Type.Null(),
      ],
      {
        description:
          "The transparency log when the export began: a matching consent whose proof has an index below `size` is in the file, or the file is not complete. Null before the log's first tree.",
      },
    ),
    stretches: Type.Array(
      Type.Object({
        bytes: Type.Integer(),
        count: Type.Integer(),
        last: Type.String(),
        sha256: Type.String(),
      }),
      {
        description:
          "Where a file may be cut and gone on with: its length there, the records before, the last of them, and the SHA-256 of those bytes. The last 256 places.",
      },
    ),
    createdAt: Instant,
    endedAt: Type.Optional(Instant),
    links: Links,
  },
  { title: "ExportManifest" },
);
export type ExportManifestOut = Static<typeof ExportManifestOut>;
