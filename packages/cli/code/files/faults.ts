import { CommandError } from "../../terminal/errors.ts";

/** An error in a file of a tree. */
export interface FileFault {
  /** The path of the file, relative to the tree. */
  file: string;
  /** 1 is the first; undefined for a file without positions, such as one in TypeScript. */
  line?: number | undefined;
  column?: number | undefined;
  message: string;
}

const FAULTS_MAX = 100;

/** All errors of a tree, one a line, as compilers print them: `file:line:column: message`. */
export class FilesError extends CommandError {
  override name = "FilesError";

  constructor(faults: readonly FileFault[]) {
    const shown = faults.slice(0, FAULTS_MAX).map(describeFault);
    const more =
      faults.length > FAULTS_MAX ? [`… and ${faults.length - FAULTS_MAX} more errors.`] : [];
    super([...shown, ...more].join("\n"));
  }
}

function describeFault({ file, line, column, message }: FileFault): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}`;
}
