import { FILE_BYTES_MAX, type SourceFile, toSourceFile } from "@avow/move-in/input";
import { readBytes } from "../terminal/read-bytes.ts";

/** Reads a file of this machine; in TypeScript, its types are removed. */
export async function readSourceFile(name: string): Promise<SourceFile> {
  const file = toSourceFile(name, await readBytes(name, FILE_BYTES_MAX));
  if (!/\.[mc]?ts$/.test(name)) return file;
  const { stripTypeScriptTypes } = await import("node:module");
  return { ...file, text: stripTypeScriptTypes(file.text) };
}

/** The address of a source, if it is one; undefined for a file. */
export function toSourceAddress(source: string): URL | undefined {
  return /^https?:\/\//i.test(source) ? (URL.parse(source) ?? undefined) : undefined;
}
