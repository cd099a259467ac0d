import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");
/** The files of a release. */
export const release = join(root, "dist-release");
