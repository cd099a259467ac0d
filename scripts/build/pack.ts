import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { dist } from "./places.ts";

interface Packed {
  /** The name of the file in dist/packed. */
  file: string;
  bytes: number;
  /** The number of files in it. */
  files: number;
}

/** Packs folders of dist/ for npm. @throws Error if npm fails */
export function packAll(folders: readonly string[]): Packed[] {
  const packed = join(dist, "packed");
  mkdirSync(packed);
  const args = ["pack", "--json", "--loglevel=error", "--pack-destination", packed];
  const text = execFileSync("npm", [...args, ...folders.map((name) => `./${name}`)], {
    cwd: dist,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const reports = JSON.parse(text) as { filename: string; size: number; entryCount: number }[];
  return reports.map(({ filename, size, entryCount }) => ({
    file: filename,
    bytes: size,
    files: entryCount,
  }));
}
