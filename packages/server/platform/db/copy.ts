import { CompiledQuery } from "kysely";
import type { Connection, PoolClient, Submittable } from "pg";
import type { DataTx } from "./db.ts";

/** Maximum size of one CopyData message. */
const BLOCK_BYTES = 64 * 1024;
/** Type and length of a message. */
const HEAD_BYTES = 5;
const COPY_DATA = "d";

/** The members of pg's connection for COPY that its types lack. */
interface CopyConnection extends Connection {
  endCopyFrom(): void;
}
type Settle = (error: Error | undefined, result?: { command: string; rows: never[] }) => void;

/** A `COPY … FROM STDIN`, and rows in PostgreSQL's text format for it. */
export interface Copy {
  statement: string;
  rows: Buffer;
}

/**
 * Runs several COPYs in the transaction with one query, from rows in memory. COPY costs a third less than INSERT.
 */
export async function copyRows(tx: DataTx, copies: readonly Copy[]): Promise<void> {
  const statements = copies.map(({ statement }) => statement).join("; ");
  await tx.executeQuery(
    CompiledQuery.raw(
      statements,
      copies.map(({ rows }) => rows),
    ),
  );
}

/** Enables `copyRows` on a new connection. */
export function allowCopiesOn(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const withCopies = (...args: unknown[]): unknown => {
    const [text, values] = args;
    // A COPY has no parameters: one with buffers is from `copyRows`.
    if (typeof text !== "string" || !text.startsWith("COPY ") || !isBuffers(values))
      return query(...args);
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => (error ? reject(error) : resolve(result));
      query(toCopy(text, values, settle));
    });
  };
  client.query = withCopies as typeof client.query;
}

function isBuffers(values: unknown): values is readonly Buffer[] {
  return Array.isArray(values) && values.length > 0 && values.every((one) => Buffer.isBuffer(one));
}

/** A query object for pg, which wraps `callback` for its timeout. */
function toCopy(text: string, all: readonly Buffer[], callback: Settle): Submittable {
  const waiting = all.values();
  const copy = {
    callback,
    submit(connection: Connection): void {
      connection.query(text);
    },
    handleCopyInResponse(connection: CopyConnection): void {
      const rows = waiting.next().value ?? Buffer.of();
      for (let at = 0; at < rows.length; at += BLOCK_BYTES)
        sendBlock(connection, rows.subarray(at, at + BLOCK_BYTES));
      connection.endCopyFrom();
    },
    handleCommandComplete(): void {},
    handleReadyForQuery(): void {
      copy.callback(undefined, { command: "COPY", rows: [] });
    },
    handleError(error: Error): void {
      copy.callback(error);
    },
  };
  return copy;
}

/** Writes a CopyData message without copying the rows, which `sendCopyFromChunk` would do. */
function sendBlock({ stream }: CopyConnection, block: Buffer): void {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(COPY_DATA, 0, "latin1");
  // The length includes itself.
  head.writeInt32BE(HEAD_BYTES - 1 + block.length, 1);
  stream.write(head);
  stream.write(block);
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

/** Serializes a value in the text format of COPY; null and undefined are NULL. */
export function toCopyText(value: string | null | undefined): string {
  if (value === null || value === undefined) return "\\N";
  if (!special.test(value)) return value;
  return value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
