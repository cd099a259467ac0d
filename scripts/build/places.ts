import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");
export const packages = join(root, "packages");
/** All that is built. */
export const dist = join(root, "dist");
/** The compiled modules and types of all packages, which are then moved to theirs. */
export const compiled = join(dist, "compiled");
