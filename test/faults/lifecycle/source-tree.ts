import type { TestContext } from "node:test";
import { type TreeOptions, copySources } from "../../../packages/lab/bench/before/source-tree.ts";
import { openDataFolder } from "./process.ts";

/** Makes a copy of the sources that runs with other dependencies, or of another version; returns its folder. */
export async function makeSourceTree(t: TestContext, options: TreeOptions): Promise<string> {
  const folder = await openDataFolder(t, "tree");
  await copySources(folder, options);
  return folder;
}
