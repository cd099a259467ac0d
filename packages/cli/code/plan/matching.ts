import type { FileDocument } from "../files/load.ts";
import { type Kind, kinds } from "../files/kinds.ts";
import type { StoredDocument } from "./stored.ts";

/** A file and the stored document that it describes. */
export interface Pair {
  file: FileDocument;
  stored: StoredDocument | undefined;
}

/** Finds the stored document of each file; `rest` are stored documents without a file. */
export function matchDocuments(
  files: readonly FileDocument[],
  stored: readonly StoredDocument[],
): { pairs: Pair[]; rest: StoredDocument[] } {
  const rest = new Set(stored);
  const found = new Map<FileDocument, StoredDocument>();
  /** Pairs a file with the first candidate; of officers and TCF settings with the newest, which is published. */
  const pair = (
    file: FileDocument,
    candidates: readonly StoredDocument[],
    isOnly: boolean,
  ): void => {
    const free = candidates.filter((one) => rest.has(one));
    const match = file.kind.identity === undefined ? free.at(-1) : free[0];
    if (!match || found.has(file) || (isOnly && free.length > 1)) return;
    rest.delete(match);
    found.set(file, match);
  };
  for (const kind of kinds) {
    const own = files.filter((file) => file.kind === kind);
    const same = stored.filter((one) => one.kind === kind);
    for (const file of own)
      pair(
        file,
        same.filter((one) => isSame(kind, one, file)),
        false,
      );
    // A form whose language changes is the same form, unless it has translations.
    for (const file of own)
      if (own.filter(({ name }) => name === file.name).length === 1)
        pair(
          file,
          same.filter(({ name }) => name === file.name),
          true,
        );
    for (const file of own)
      pair(
        file,
        same.filter(
          ({ name, language }) =>
            name === file.renamedFrom && (!kind.isTranslated || language === file.language),
        ),
        true,
      );
  }
  return { pairs: files.map((file) => ({ file, stored: found.get(file) })), rest: [...rest] };
}

function isSame(kind: Kind, stored: StoredDocument, file: FileDocument): boolean {
  return stored.name === file.name && (!kind.isTranslated || stored.language === file.language);
}
