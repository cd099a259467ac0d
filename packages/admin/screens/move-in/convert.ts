import type { Conversion as Converted } from "@avow/move-in";

/** A conversion; each has another id. */
export type Conversion = Converted & { id: number };

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
export async function convertFiles({ files, site, adoptsAnswers }: GivenFiles): Promise<Result> {
  const [{ MoveInError, convert }, { FILE_BYTES_MAX: bytesMax }] = await Promise.all([
    import("@avow/move-in"),
    import("@avow/move-in/input"),
  ]);
  const large = files.find(({ size }) => size > bytesMax);
  if (large) return { kind: "too large", name: large.name, bytesMax };
  const read = files.map(async (file) => ({ name: file.name, text: await file.text() }));
  const sources = await Promise.all(read);
  try {
    const converted = convert(sources, { site, adoptsAnswers });
    conversions += 1;
    return { kind: "converted", conversion: { ...converted, id: conversions } };
  } catch (error) {
    if (error instanceof MoveInError) return { kind: "not recognized", reason: error.message };
    throw error;
  }
}
