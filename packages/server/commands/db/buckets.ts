import { listBucketSizes } from "../../platform/db/buckets/sizes-store.ts";
import type { DataDb } from "../../platform/db/db.ts";

const MIB = 1024 * 1024;
const numberColumns: ReadonlySet<number> = new Set([2, 3]);
const headings = ["Bucket", "Server", "Projects", "MiB", "New projects"];

/** Prints the buckets as a table. */
export async function printBuckets(home: DataDb): Promise<void> {
  const buckets = await listBucketSizes(home);
  const lines = buckets.map(({ name, server, projects, bytes, takesProjects }) => [
    name,
    server ?? "this one",
    projects.toLocaleString("en"),
    (bytes / MIB).toLocaleString("en", { maximumFractionDigits: 1 }),
    takesProjects ? "yes" : "no",
  ]);
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  for (const line of [headings, ...lines]) {
    const cells = line.map((cell, at) =>
      numberColumns.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    );
    console.log(cells.join("  ").trimEnd());
  }
}
