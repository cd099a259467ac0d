import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A file for an archive. */
export interface ZipEntry {
  /** Relative, with slashes. */
  path: string;
  /** Read only when the files before are written. */
  chunks: AsyncIterable<Uint8Array>;
}

/**
 * Writes a ZIP archive as fast as its reader reads, with only the current chunks in memory. The next entry is
 * requested when the one before is read completely. When the reader stops, the current source and the entries
 * end; when a source fails, so does the archive.
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry>,
  modifiedAt: Date,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  const options = { mtime: modifiedAt, mode: 0o100644 };
  const fill = async (): Promise<void> => {
    for await (const { path, chunks } of entries) {
      const source = Readable.from(chunks, { objectMode: false });
      const stop = (): void => void source.destroy(new Error("The reader has stopped."));
      output.once("close", stop);
      const read = once(source, "end");
      if (output.destroyed) stop();
      else zip.addReadStream(source, path, options);
      try {
        await read;
      } finally {
        output.off("close", stop);
      }
    }
    zip.end();
  };
  zip.once("error", (error) => output.destroy(error as Error));
  const filling = fill().catch((error: unknown) => output.destroy(error as Error));
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    output.destroy();
    await filling;
  }
}
