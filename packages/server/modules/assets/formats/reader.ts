import { RefusedError } from "./tasks.ts";

/** The error for a damaged or truncated file. */
export function broken(name: string): RefusedError {
  return new RefusedError("impossible", `The ${name} is damaged or truncated.`);
}

/** Rejects a file with data after its end, which could be another format. */
export function assertEnd(bytes: Buffer, end: number, name: string): void {
  if (end > bytes.length) throw broken(name);
  if (end === bytes.length) return;
  const count = (bytes.length - end).toLocaleString("en");
  throw new RefusedError(
    "unsupported-type",
    `The ${name} has ${count} bytes after its end. Save the file again.`,
  );
}

/** A four-character code, which formats use as names. */
export function nameAt(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}
