import { createHash } from "node:crypto";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import {
  type ArchivedColumn,
  type ArchivedRow,
  archivedColumns,
  fromParquet,
  schema,
  toParquet,
} from "./columns.ts";

/** Records of a row group, which is the unit of a read. */
const GROUP_ROWS_MAX = 1_000;
/** Text of a row group, so that large records make small groups. */
const GROUP_CHARS_MAX = 4 * 1024 * 1024;
/** Records and bytes of a file, which is in memory while it is written. */
const FILE_ROWS_MAX = 200_000;
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** The length of the metadata, and the magic number at the end (Parquet format, "File format"). */
const TAIL_BYTES = 8;
const GROUPS_KEY = "avow.groups";
const LEVEL = 6;
/** Columns with distinct values, for which a dictionary is useless. */
const distinct = new Set<ArchivedColumn>(["id", "token", "created_at"]);

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
};
const decompressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

/** A row group: consecutive bytes of the file, with the ids of its records in order. */
interface Group {
  first: string;
  last: string;
  rows: number;
  start: number;
  length: number;
  sha256: string;
}

/** The end of a file, which describes the rest. */
export interface Footer {
  groups: readonly Group[];
  metadata: FileMetaData;
}

/** A whole file, with what its row of `archived_objects` needs. */
export interface ArchivedFile {
  bytes: Buffer;
  sha256: Buffer;
  footerBytes: number;
  footerSha256: Buffer;
  first: string;
  last: string;
  rows: number;
}

/** A file that is being written, in memory. Records come in the order of their ids. */
export interface FileWriter {
  add(row: ArchivedRow): void;
  isFull(): boolean;
  rows: number;
  end(): ArchivedFile;
}

/** Opens a file of one project's records, compressed by Zstandard. */
export function openFileWriter(): FileWriter {
  const writer = new ByteWriter();
  const kvMetadata: { key: string; value: string }[] = [];
  const parquet = new ParquetWriter({
    writer,
    schema,
    codec: "ZSTD",
    compressors,
    statistics: false,
    createdBy: "Avow",
    kvMetadata,
  });
  const groups: Group[] = [];
  let waiting: ArchivedRow[] = [];
  let chars = 0;
  const flush = (): void => {
    const [first, last] = [waiting[0], waiting.at(-1)];
    if (!first || !last) return;
    const start = writer.offset;
    void parquet.write({ columnData: toColumnData(waiting), rowGroupSize: waiting.length });
    const written = writer.getBytes().subarray(start);
    const position = { start, length: written.length, sha256: toHash(written).toString("hex") };
    groups.push({ first: first.id, last: last.id, rows: waiting.length, ...position });
    waiting = [];
    chars = 0;
  };
  const file = {
    rows: 0,
    add(row: ArchivedRow) {
      waiting.push(row);
      chars += sizeOf(row);
      file.rows += 1;
      if (waiting.length === GROUP_ROWS_MAX || chars >= GROUP_CHARS_MAX) flush();
    },
    isFull: () => file.rows >= FILE_ROWS_MAX || writer.offset >= FILE_BYTES_MAX,
    end(): ArchivedFile {
      flush();
      const [first, last] = [groups[0], groups.at(-1)];
      if (!first || !last) throw new Error("an archived file needs at least one record");
      kvMetadata.push({ key: GROUPS_KEY, value: JSON.stringify(groups) });
      void parquet.finish();
      const bytes = Buffer.from(writer.getBuffer());
      const footer = bytes.subarray(last.start + last.length);
      return {
        bytes,
        sha256: toHash(bytes),
        footerBytes: footer.length,
        footerSha256: toHash(footer),
        first: first.first,
        last: last.last,
        rows: file.rows,
      };
    },
  };
  return file;
}

function sizeOf(row: ArchivedRow): number {
  let chars = 0;
  for (const cell of Object.values(row)) if (typeof cell === "string") chars += cell.length;
  return chars;
}

function toColumnData(rows: readonly ArchivedRow[]) {
  return archivedColumns.map((name) => ({
    name,
    data: rows.map((row) => toParquet(name, row[name])),
    offsetIndex: false,
    statistics: name === "id",
    ...(distinct.has(name) ? { encoding: "PLAIN" as const } : {}),
  }));
}

/**
 * Parses the last bytes of a file.
 * @throws Error if they are no footer of an archived file
 */
export function parseFooter(bytes: Uint8Array): Footer {
  if (bytes.length <= TAIL_BYTES) throw new Error("the footer is too short");
  const metadata = parquetMetadata(toArrayBuffer(bytes));
  const found = metadata.key_value_metadata?.find(({ key }) => key === GROUPS_KEY)?.value;
  if (found === undefined) throw new Error("the footer lists no row groups");
  return { groups: JSON.parse(found) as Group[], metadata };
}

/** Parses the records of a row group from its bytes; with `only`, the other columns are null. */
export async function parseGroup(
  { groups, metadata }: Footer,
  at: number,
  { bytes, only }: { bytes: Uint8Array; only?: readonly ArchivedColumn[] | undefined },
): Promise<ArchivedRow[]> {
  const [group, described] = [groups[at], metadata.row_groups[at]];
  if (!group || !described) throw new Error(`the file has no row group ${at}`);
  const own = toArrayBuffer(bytes);
  const rows = await parquetReadObjects({
    file: {
      byteLength: group.start + group.length,
      slice: (from, to) => own.slice(from - group.start, (to ?? Infinity) - group.start),
    },
    metadata: { ...metadata, row_groups: [described], num_rows: described.num_rows },
    ...(only && { columns: [...only] }),
    compressors: decompressors,
    parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
  });
  if (rows.length !== group.rows) throw new Error(`row group ${at} has ${rows.length} records`);
  return rows.map((row) => {
    const cells = archivedColumns.map((name) => [name, fromParquet(name, row[name])]);
    return Object.fromEntries(cells) as ArchivedRow;
  });
}

/** All records of a whole file, in the order of their ids. */
export async function* parseFile(bytes: Buffer, footerBytes: number): AsyncGenerator<ArchivedRow> {
  const footer = parseFooter(bytes.subarray(bytes.length - footerBytes));
  for (const [at, { start, length }] of footer.groups.entries())
    yield* await parseGroup(footer, at, { bytes: bytes.subarray(start, start + length) });
}

export function toHash(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
