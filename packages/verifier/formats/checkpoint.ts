// C2SP tlog-checkpoint: https://c2sp.org/tlog-checkpoint
import { type Bytes, HASH_BYTES, fromBase64Of, readSize } from "./bytes.ts";
import { FormatError } from "./errors.ts";
import { type Note, parseNote } from "./note.ts";

export interface Checkpoint {
  /** The log's name. */
  origin: string;
  /** How many leaves the tree has. */
  size: number;
  root: Bytes;
  /** Lines that mean something to the log alone. */
  extensions: string[];
  /** The signed note as it came, with its signatures. */
  source: string;
  note: Note;
}

/** @throws FormatError for what is no checkpoint. Signatures are not looked at. */
export function parseCheckpoint(source: string): Checkpoint {
  const note = parseNote(source);
  const [origin = "", size = "", root = "", ...extensions] = note.text.slice(0, -1).split("\n");
  if (origin === "" || extensions.includes("")) throw new FormatError((say) => say.checkpointShape);
  return {
    origin,
    size: readSize(size, "size"),
    root: fromBase64Of(HASH_BYTES, root, "root"),
    extensions,
    source,
    note,
  };
}
