import { createReadStream } from "node:fs";
import { CommandError, codeOf } from "./errors.ts";
import { toPath } from "./path.ts";

/**
 * Reads a file, or standard input for `-`.
 * @throws CommandError for an unreadable file, or more than `bytesMax`
 */
export async function readBytes(file: string, bytesMax: number): Promise<Uint8Array> {
  const source = file === "-" ? process.stdin : createReadStream(toPath(file));
  try {
    return await readWhole(source as AsyncIterable<Buffer>, file, bytesMax);
  } catch (error) {
    throw toCommandError(file, error);
  }
}

/** Reads all bytes; `name` is for errors. @throws CommandError for more than `bytesMax` */
export async function readWhole(
  source: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax: number,
): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of source) {
    bytes += block.length;
    if (bytes > bytesMax)
      throw new CommandError(`${name} has more than ${bytesMax / 1024 / 1024} MiB.`);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

function toCommandError(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === "ENOENT") return new CommandError(`There is no file ${file}.`);
  if (code === "EISDIR") return new CommandError(`${file} is a folder.`);
  if (code === "EACCES") return new CommandError(`Permission to read ${file} was denied.`);
  return error;
}
