import type { Inspected } from "../formats/tasks.ts";
import type { Received } from "./spool.ts";

/** A file that came whole, as its sender tells of it. */
export interface UploadedFile extends Received {
  name: string;
  reportedType: string;
}

/** A file that was looked into and will be taken. */
export interface Candidate extends Omit<UploadedFile, "size" | "sha256"> {
  inspected: Inspected;
}
