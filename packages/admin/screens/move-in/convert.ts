import type { Conversion as Converted } from "@avow/move-in";
import type { SourceFile } from "@avow/move-in/input";
import { readPublicFiles } from "../../data/projects/move-in.ts";

/** A conversion; each has another id. */
export type Conversion = Converted & {
  id: number;
  /** The names or addresses of the files. */
  sources: readonly string[];
};

export interface GivenFiles {
  files: readonly File[];
  site: string | undefined;
  adoptsAnswers: boolean;
}

type Result =
  | { kind: "converted"; conversion: Conversion }
  | { kind: "too large"; name: string; bytesMax: number }
  | { kind: "not recognized"; reason: string };

let conversions = 0;

/** Reads and converts files in this browser. Nothing of them is run or sent. */
export async function convertFiles({ files, ...options }: GivenFiles): Promise<Result> {
  const { FILE_BYTES_MAX: bytesMax, toSourceFile } = await import("@avow/move-in/input");
  const large = files.find(({ size }) => size > bytesMax);
  if (large) return { kind: "too large", name: large.name, bytesMax };
  const read = files.map(async (file) =>
    toSourceFile(file.name, new Uint8Array(await file.arrayBuffer())),
  );
  return convertSources(await Promise.all(read), options);
}

/**
 * Reads an address through the service, and converts its files in this browser. Files that the service could not read are
 * lines of the report.
 * @throws Problem, with the reason, if there is nothing to convert
 */
export async function convertAddress(
  address: string,
  options: { adoptsAnswers: boolean },
): Promise<Result> {
  const { files, failed } = await readPublicFiles(address);
  const result = await convertSources(files, options);
  if (result.kind !== "converted") return result;
  const { report, ...conversion } = result.conversion;
  const lines = failed.map(({ name: path, reason }) => ({
    kind: "not mapped" as const,
    path,
    reason,
  }));
  const completed = { ...report, lines: [...lines, ...report.lines] };
  return { kind: "converted", conversion: { ...conversion, report: completed } };
}

async function convertSources(
  files: readonly SourceFile[],
  options: Omit<GivenFiles, "files" | "site"> & { site?: string | undefined },
): Promise<Result> {
  const { MoveInError, convert } = await import("@avow/move-in");
  try {
    const converted = convert(files, options);
    conversions += 1;
    const sources = files.map(({ name }) => name);
    return { kind: "converted", conversion: { ...converted, id: conversions, sources } };
  } catch (error) {
    if (error instanceof MoveInError) return { kind: "not recognized", reason: error.message };
    throw error;
  }
}
