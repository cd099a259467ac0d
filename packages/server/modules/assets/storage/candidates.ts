import type { Inspected } from "../formats/tasks.ts";
import type { Received } from "./spool.ts";

/** A complete uploaded file, with the client's name and type. */
export interface UploadedFile extends Received {
  name: string;
  reportedType: string;
}

/** An inspected and accepted file. */
export interface Candidate extends Omit<UploadedFile, "size" | "sha256"> {
  inspected: Inspected;
}
