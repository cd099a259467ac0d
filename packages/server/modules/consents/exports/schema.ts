import { Type, type Static } from "typebox";
import { ConsentsQueryIn, CsvDialectIn, Links } from "@avow/contract/consents";

export const contentTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const;

/** A part that continues an earlier file has no head (RFC 4180 section 3). */
export function toContentType(format: Format, isPart: boolean): string {
  const type = contentTypes[format];
  return isPart ? type.replace("header=present", "header=absent") : type;
}

export const Format = Type.Union(
  [Type.Literal("csv"), Type.Literal("ndjson"), Type.Literal("parquet")],
  { description: "The file format." },
);
export type Format = Static<typeof Format>;

const id = Type.String({ maxLength: 64 });
export const ExportParams = Type.Object({ projectId: id, format: Format });
export const ManifestParams = Type.Object({ projectId: id, exportId: id });

const { start, end, token, collection, identifier, accept, dialect } = ConsentsQueryIn.properties;

/** The query of an export (wire section 4). */
export const ExportQueryIn = Type.Object({
  start,
  end,
  token,
  collection,
  identifier,
  accept,
  dialect,
  after: Type.Optional(
    Type.String({
      format: "uuid",
      description: "Resumes after this consent: the last one of an earlier export.",
    }),
  ),
});
export type ExportQueryIn = Static<typeof ExportQueryIn>;
/** The query of an export as stored, without the record that it resumes after. */
export type StoredQuery = Omit<ExportQueryIn, "after">;

const Instant = Type.String({ format: "date-time" });

/** The progress of an export, and the data to verify its file. */
export const ExportManifestOut = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    format: Format,
    state: Type.Union([Type.Literal("running"), Type.Literal("done"), Type.Literal("cut")]),
    complete: Type.Boolean({ description: "Whether the file was written completely." }),
    filters: Type.Object({}, { additionalProperties: true }),
    dialect: Type.Optional(CsvDialectIn),
    from: Type.Union([Instant, Type.Null()], {
      description: "Records since this time; null: all.",
    }),
    to: Type.String({
      format: "date-time",
      description: "Records before this time: `end`, or a millisecond after the request.",
    }),
    heldBack: Type.Optional(
      Type.Boolean({
        description:
          "The export ends earlier than requested, because collecting a consent took more than ten seconds. Request the rest later, with `after` set to the last record.",
      }),
    ),
    after: Type.Optional(Type.String({ format: "uuid" })),
    first: Type.Union([Type.String({ format: "uuid" }), Type.Null()]),
    last: Type.Union([Type.String({ format: "uuid" }), Type.Null()]),
    count: Type.Integer({ description: "Number of records." }),
    bytes: Type.Integer({ description: "Size of the file; for NDJSON, without its last line." }),
    sha256: Type.Union([Type.String(), Type.Null()], {
      description: "Digest of these bytes, in hexadecimal; null until the export is complete.",
    }),
    log: Type.Union(
      [
        Type.Object({
          origin: Type.String({ description: "The origin line of the log." }),
          size: Type.Integer({ description: "Number of entries." }),
          checkpoint: Type.String({ description: "The signed checkpoint (C2SP tlog-checkpoint)." }),
        }),
        Type.Null(),
      ],
      {
        description:
          "The transparency log at the start of the export. Every matching consent whose proof has an index below `size` must be in the file; otherwise the file is incomplete. Null before the log's first tree.",
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
          "Positions at which a truncated file can be resumed: the length of the file, the number of records, the last record, and the SHA-256 of these bytes. The last 256 positions.",
      },
    ),
    createdAt: Instant,
    endedAt: Type.Optional(Instant),
    links: Links,
  },
  { title: "ExportManifest" },
);
export type ExportManifestOut = Static<typeof ExportManifestOut>;
