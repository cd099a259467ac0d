import { RefusedError } from "./tasks.ts";

/** Refuses a file that is not whole, or not what its beginning says. */
export function broken(name: string): RefusedError {
  return new RefusedError("impossible", `The ${name} is damaged or cut off: it cannot be read.`);
}

/** Refuses a file with something behind its end, where another format could begin. */
export function assertEnd(bytes: Buffer, end: number, name: string): void {
  if (end > bytes.length) throw broken(name);
  if (end === bytes.length) return;
  const count = (bytes.length - end).toLocaleString("en");
  throw new RefusedError(
    "unsupported-type",
    `Behind the end of the ${name} there are ${count} more bytes, which could be another file. Save the picture anew.`,
  );
}

/** Text of four letters, as formats name their parts. */
export function nameAt(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}
