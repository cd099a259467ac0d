import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { readObject } from "../../platform/objects/objects.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import { CommandError } from "@avow/cli/errors";

/** Incremented when a backup cannot be read as before. */
const FORMAT = 1;
/** Written last: a backup without it is incomplete. */
export const MANIFEST = "manifest.json";

/** Files of DATA_DIR with secrets, and the settings that replace them. */
export const keyFiles = [
  { name: "secret.key", setting: "SECRET_KEY", secret: "secretKey" },
  { name: "log.keys", setting: "EVIDENCE_LOG_KEYS", secret: "logKeys" },
] as const;

const Name = Type.String({ minLength: 1, maxLength: 63 });
/** As PostgreSQL writes the bounds of a range of ids or days. It becomes a part of a statement. */
const Bound = Type.String({
  pattern:
    "^(DEFAULT|FOR VALUES FROM \\((MINVALUE|'[0-9a-f :+-]{1,40}')\\) TO \\((MAXVALUE|'[0-9a-f :+-]{1,40}')\\))$",
});
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

/** A file of the backup. */
export const Part = Type.Object({
  key: Type.String({ maxLength: 512 }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
});
export type Part = Static<typeof Part>;

const Table = Type.Object({
  schema: Type.Union([Type.Literal("public"), Type.Literal("pgboss")]),
  name: Name,
  /** Set in a backup of two databases. */
  plane: Type.Optional(Type.Enum(["control", "data"])),
  columns: Type.Array(Name, { minItems: 1, maxItems: 1_000 }),
  rows: Type.Integer({ minimum: 0 }),
  /** Consecutive parts of one zstd stream of rows in the text format of COPY. */
  parts: Type.Array(Part),
});

/** Describes a backup: what it contains, with the SHA-256 of each file. */
const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** The version of the service that wrote it. */
  version: Type.String(),
  /** The time of the snapshot. */
  createdAt: Type.String({ format: "date-time" }),
  postgres: Type.String(),
  migrations: Type.Array(Type.String({ maxLength: 200 })),
  tables: Type.Array(Table),
  partitions: Type.Array(Type.Object({ name: Name, parent: Name, bound: Bound })),
  sequences: Type.Array(
    Type.Object({
      name: Name,
      lastValue: Type.String({ pattern: "^-?\\d+$" }),
      isCalled: Type.Boolean(),
    }),
  ),
  /** Published files and assets: their number and bytes, and their descriptions as NDJSON. */
  files: Type.Object({
    count: Type.Integer({ minimum: 0 }),
    sizeBytes: Type.Integer({ minimum: 0 }),
    parts: Type.Array(Part),
  }),
  /** Files of archived months, as `files`. */
  archive: Type.Optional(
    Type.Object({
      count: Type.Integer({ minimum: 0 }),
      sizeBytes: Type.Integer({ minimum: 0 }),
      parts: Type.Array(Part),
    }),
  ),
  /** Keys by the name of their file in DATA_DIR; one that is a setting is not in the backup. */
  keys: Type.Array(
    Type.Object({
      name: Type.Enum(keyFiles.map(({ name }) => name)),
      setting: Type.Enum(keyFiles.map(({ setting }) => setting)),
      /** SHA-256 of the key's SHA-256, to recognize the key. */
      fingerprint: Sha256,
      part: Type.Optional(Part),
    }),
  ),
});
export type Manifest = Static<typeof Manifest>;
export type ManifestTable = Static<typeof Table>;

/** @throws CommandError if there is no complete backup, or if it has another format */
export async function readManifest(backup: Objects, place: string): Promise<Manifest> {
  const bytes = await readObject(backup, MANIFEST);
  if (!bytes) throw new CommandError(`${place} has no ${MANIFEST}: it is not a complete backup.`);
  const manifest = parse(bytes.toString());
  if (Check(Manifest, manifest)) return manifest;
  const format = typeof manifest === "object" && manifest && "format" in manifest;
  throw new CommandError(
    format && manifest.format !== FORMAT
      ? `The backup in ${place} has the format ${JSON.stringify(manifest.format)}, and this version reads ${FORMAT}. Restore it with the version that wrote it, or a newer one.`
      : `${MANIFEST} in ${place} is damaged.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function toManifest(content: Omit<Manifest, "format">): Manifest {
  return { format: FORMAT, ...content };
}
