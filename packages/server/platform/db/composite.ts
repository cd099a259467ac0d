import type { ClientBase } from "pg";

/** Column types with their OIDs (pg_type.dat). */
const typeOids = {
  boolean: 16,
  bytea: 17,
  integer: 23,
  text: 25,
  json: 114,
  timestamptz: 1184,
  uuid: 2950,
  jsonb: 3802,
} as const;

export type ColumnType = keyof typeof typeOids;

/**
 * A value of a composite type's column: a timestamptz is a Date or milliseconds since 1970, json and jsonb are text, a
 * bytea may be hexadecimal text; undefined and null are NULL.
 */
export type CompositeValue = string | number | boolean | Date | Uint8Array | null | undefined;

export interface CompositeField<Row> {
  type: ColumnType;
  valueOf: (row: Row) => CompositeValue;
}

/** A composite type with its columns by name, in any order. */
export interface Composite<Row> {
  name: string;
  fields: Readonly<Record<string, CompositeField<Row>>>;
}

/** The length that stands for NULL in the binary format. */
const NULL_LENGTH = -1;
/** Size of a length, a count or an OID. */
const INT_BYTES = 4;
/** PostgreSQL's epoch, the year 2000. */
const EPOCH_MS = 946_684_800_000;
const INT_RANGE = 2 ** 32;
const JSONB_VERSION = 1;
/** Initial size of a connection's buffer, and maximum size between uses. */
const FIRST_BYTES = 64 * 1_024;
const KEPT_BYTES_MAX = 1024 * 1_024;
/** Maximum number of UTF-8 bytes for each UTF-16 unit. */
const CHARACTER_BYTES_MAX = 3;

/** A growing buffer with a write position. */
interface Sink {
  bytes: Buffer;
  at: number;
}

/** The cached type of a connection. */
interface ConnectionType<Row> {
  oid: number;
  /** The fields in the order of the type's columns. */
  ordered: readonly CompositeField<Row>[];
  /** Reused for each parameter once the one before has been sent. */
  sink: Sink;
}

/** Encodes rows as a parameter for the next query on a connection. The following call reuses the memory. */
export type EncodeRows<Row> = (
  client: Pick<ClientBase, "query">,
  rows: readonly Row[],
) => Promise<Buffer>;

/**
 * Opens an encoder of arrays of a composite type in binary format (`array_recv`, `record_recv`). PostgreSQL reads such
 * an array in a fraction of the time of separate parameters, and one statement suits any number of rows. The
 * order of the type's columns is read from the database.
 */
export function openRowsEncoder<Row>(composite: Composite<Row>): EncodeRows<Row> {
  const types = new WeakMap<object, ConnectionType<Row>>();
  return async (client, rows) => {
    let type = types.get(client);
    if (!type) types.set(client, (type = await readType(client, composite)));
    const { oid, ordered, sink } = type;
    if (sink.bytes.length > KEPT_BYTES_MAX) sink.bytes = Buffer.allocUnsafe(FIRST_BYTES);
    sink.at = 0;
    // The array's header: one dimension, NULLs allowed, the element type, the length, the lower bound.
    for (const number of [1, 1, oid, rows.length, 1]) writeInt(sink, number);
    for (const row of rows) {
      const from = sink.at;
      writeInt(sink, 0);
      writeInt(sink, ordered.length);
      for (const { type: column, valueOf } of ordered) writeValue(sink, column, valueOf(row));
      sink.bytes.writeInt32BE(sink.at - from - INT_BYTES, from);
    }
    return sink.bytes.subarray(0, sink.at);
  };
}

/** Reads the type from the database. Throws when its columns differ. */
async function readType<Row>(
  client: Pick<ClientBase, "query">,
  { name, fields }: Composite<Row>,
): Promise<ConnectionType<Row>> {
  const { rows } = await client.query<{ oid: string; names: string[] }>(
    `SELECT t.oid::text AS oid, array_agg(a.attname::text ORDER BY a.attnum) AS names
    FROM pg_type t
    JOIN pg_attribute a ON a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE t.oid = $1::regtype GROUP BY t.oid`,
    [name],
  );
  const [{ oid, names } = { oid: "", names: [] }] = rows;
  const ordered = names.flatMap((column) => fields[column] ?? []);
  if (ordered.length !== names.length || names.length !== Object.keys(fields).length)
    throw new Error(
      `The type ${name} has the columns ${names.join(", ")} instead of ${Object.keys(fields).join(", ")}.`,
    );
  const sink = { bytes: Buffer.allocUnsafe(FIRST_BYTES), at: 0 };
  return { oid: Number(oid), ordered, sink };
}

/** Writes a value with its type and length. */
function writeValue(sink: Sink, type: ColumnType, value: CompositeValue): void {
  writeInt(sink, typeOids[type]);
  if (value === undefined || value === null) return writeInt(sink, NULL_LENGTH);
  const from = sink.at;
  writeInt(sink, 0);
  if (typeof value === "string") writeText(sink, type, value);
  else if (typeof value === "boolean") reserve(sink, 1).bytes[sink.at++] = value ? 1 : 0;
  else if (typeof value === "number") writeNumber(sink, type, value);
  else if (value instanceof Date) writeNumber(sink, type, value.getTime());
  else {
    reserve(sink, value.length).bytes.set(value, sink.at);
    sink.at += value.length;
  }
  sink.bytes.writeInt32BE(sink.at - from - INT_BYTES, from);
}

function writeText(sink: Sink, type: ColumnType, value: string): void {
  const { bytes } = reserve(sink, 1 + value.length * CHARACTER_BYTES_MAX);
  if (type === "jsonb") bytes[sink.at++] = JSONB_VERSION;
  if (type === "uuid") sink.at += bytes.write(value.replaceAll("-", ""), sink.at, "hex");
  else if (type === "bytea") sink.at += bytes.write(value, sink.at, "hex");
  else sink.at += bytes.write(value, sink.at);
}

function writeNumber(sink: Sink, type: ColumnType, value: number): void {
  if (type !== "timestamptz") return writeInt(sink, value);
  const microseconds = (value - EPOCH_MS) * 1_000;
  const high = Math.floor(microseconds / INT_RANGE);
  const { bytes } = reserve(sink, 2 * INT_BYTES);
  sink.at = bytes.writeUInt32BE(microseconds - high * INT_RANGE, bytes.writeInt32BE(high, sink.at));
}

function writeInt(sink: Sink, value: number): void {
  sink.at = reserve(sink, INT_BYTES).bytes.writeInt32BE(value, sink.at);
}

/** Grows the buffer for `size` further bytes. */
function reserve(sink: Sink, size: number): Sink {
  const needed = sink.at + size;
  if (needed > sink.bytes.length) {
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * sink.bytes.length));
    sink.bytes.copy(bytes, 0, 0, sink.at);
    sink.bytes = bytes;
  }
  return sink;
}
