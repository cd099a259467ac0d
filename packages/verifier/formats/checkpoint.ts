// C2SP tlog-checkpoint: https://c2sp.org/tlog-checkpoint
import { type Bytes, HASH_BYTES, fromBase64Of, parseSize } from "./bytes.ts";
import { FormatError } from "./errors.ts";
import { type Note, parseNote } from "./note.ts";

export interface Checkpoint {
  /** The log's name. */
  origin: string;
  /** The number of leaves of the tree. */
  size: number;
  root: Bytes;
  /** Opaque extension lines of the log. */
  extensions: string[];
  /** The original signed note, with its signatures. */
  source: string;
  note: Note;
}

/** Does not verify signatures. @throws FormatError for an invalid checkpoint */
export function parseCheckpoint(source: string): Checkpoint {
  const note = parseNote(source);
  const [origin = "", size = "", root = "", ...extensions] = note.text.slice(0, -1).split("\n");
  if (origin === "" || extensions.includes("")) throw new FormatError((say) => say.checkpointShape);
  return {
    origin,
    size: parseSize(size, "size"),
    root: fromBase64Of(HASH_BYTES, root, "root"),
    extensions,
    source,
    note,
  };
}
