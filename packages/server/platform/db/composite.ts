import type { ClientBase } from "pg";

/** The types of columns, with PostgreSQL's numbers of them (pg_type.dat). */
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
 * A value of a composite type's column: a timestamptz is an instant or its milliseconds since 1970, json and jsonb are
 * text, a bytea may be its hexadecimal digits; undefined and null are NULL.
 */
export type CompositeValue = string | number | boolean | Date | Uint8Array | null | undefined;

/** A column of a composite type, and its value of a row. */
export interface CompositeField<Row> {
  type: ColumnType;
  valueOf: (row: Row) => CompositeValue;
}

/** A composite type of the database with its columns by name, in any order. */
export interface Composite<Row> {
  name: string;
  fields: Readonly<Record<string, CompositeField<Row>>>;
}

/** A message of the protocol says so. */
const NULL_LENGTH = -1;
/** A number of four bytes: a length, a count, the number of a type. */
const INT_BYTES = 4;
/** PostgreSQL counts microseconds from 2000 on. */
const EPOCH_MS = 946_684_800_000;
const INT_RANGE = 2 ** 32;
const JSONB_VERSION = 1;
/** Sizes of the buffer that a connection's rows are written into: at first, and at most while it is not used. */
const FIRST_BYTES = 64 * 1_024;
const KEPT_BYTES_MAX = 1024 * 1_024;
/** A character of a text takes so many bytes of UTF-8 at most. */
const CHARACTER_BYTES_MAX = 3;

/** Bytes that are written one after the other. */
interface Sink {
  bytes: Buffer;
  at: number;
}

/** The cache of a connection. */
interface Known<Row> {
  /** PostgreSQL's number of the type. */
  oid: number;
  /** The fields in the order of the type's columns. */
  ordered: readonly CompositeField<Row>[];
  /** Its buffer, for one parameter after the other has been sent. */
  sink: Sink;
}

/** Makes rows a parameter for the next query on a connection; the one after that is written into the same memory. */
export type EncodeRows<Row> = (
  client: Pick<ClientBase, "query">,
  rows: readonly Row[],
) => Promise<Buffer>;

/**
 * Opens the encoder of arrays of a composite type in binary (`array_recv`, `record_recv`): PostgreSQL reads one in
 * a fraction of the time that as many parameters take, and one statement serves any number of rows. The database
 * tells the order of the type's columns.
 */
export function openRowsEncoder<Row>(composite: Composite<Row>): EncodeRows<Row> {
  const knownOf = new WeakMap<object, Known<Row>>();
  return async (client, rows) => {
    let known = knownOf.get(client);
    if (!known) knownOf.set(client, (known = await readType(client, composite)));
    const { oid, ordered, sink } = known;
    if (sink.bytes.length > KEPT_BYTES_MAX) sink.bytes = Buffer.allocUnsafe(FIRST_BYTES);
    sink.at = 0;
    // One dimension, perhaps with NULLs, of this type, from 1 on.
    for (const number of [1, 1, oid, rows.length, 1]) writeInt(sink, number);
    for (const row of rows) {
      const from = sink.at;
      writeInt(sink, 0);
      writeInt(sink, ordered.length);
      for (const { type, valueOf } of ordered) writeValue(sink, type, valueOf(row));
      sink.bytes.writeInt32BE(sink.at - from - INT_BYTES, from);
    }
    return sink.bytes.subarray(0, sink.at);
  };
}

/** A type as the database of this connection has it. Throws where it has other columns. */
async function readType<Row>(
  client: Pick<ClientBase, "query">,
  { name, fields }: Composite<Row>,
): Promise<Known<Row>> {
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
      `The type ${name} has the columns ${names.join(", ")}, and not ${Object.keys(fields).join(", ")}.`,
    );
  const sink = { bytes: Buffer.allocUnsafe(FIRST_BYTES), at: 0 };
  return { oid: Number(oid), ordered, sink };
}

/** A value with its type and its length. */
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

/** Makes room for so many bytes more. */
function reserve(sink: Sink, size: number): Sink {
  const needed = sink.at + size;
  if (needed > sink.bytes.length) {
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * sink.bytes.length));
    sink.bytes.copy(bytes, 0, 0, sink.at);
    sink.bytes = bytes;
  }
  return sink;
}
