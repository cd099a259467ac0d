import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "./errors.ts";

/**
 * Reads a file, or standard input for -, as long as it is not larger than it may be.
 * @throws CommandError in plain words
 */
export async function readBytes(file: string, bytesMax: number): Promise<Uint8Array> {
  // npm runs its scripts in the folder of the package.
  const path = resolve(process.env["INIT_CWD"] ?? "", file);
  const source = file === "-" ? process.stdin : createReadStream(path);
  const blocks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const block of source as AsyncIterable<Buffer>) {
      bytes += block.length;
      if (bytes > bytesMax) break;
      blocks.push(block);
    }
  } catch (error) {
    throw toCommandError(file, error);
  }
  if (bytes > bytesMax)
    throw new CommandError(`${file} has more than ${bytesMax / 1024 / 1024} MiB.`);
  return Buffer.concat(blocks);
}

function toCommandError(file: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return new CommandError(`There is no file ${file}.`);
  if (code === "EISDIR") return new CommandError(`${file} is a folder.`);
  if (code === "EACCES") return new CommandError(`${file} may not be read.`);
  return error;
}
