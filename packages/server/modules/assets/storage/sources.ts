import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../../platform/errors.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { toAssetKey } from "../formats/tasks.ts";
import type { Scratch, Spool } from "./spool.ts";

/** A content as a file of this machine's disk, for as long as it is not disposed. */
export interface LocalSource extends AsyncDisposable {
  path: string;
}

interface Copy {
  users: number;
  scratch: Scratch;
  path: Promise<string>;
}

/** Brings contents from storage to this machine's disk; those who want one at a time share it. */
export function openSources(app: { objects: Pick<Objects, "openObject">; spool: Spool }) {
  const copies = new Map<string, Copy>();
  return async function openSource(content: {
    sha256: string;
    type: string;
  }): Promise<LocalSource> {
    const key = toAssetKey(content);
    const copy = copies.get(key) ?? startCopy(app, key);
    copies.set(key, copy);
    copy.users += 1;
    const close = async (): Promise<void> => {
      copy.users -= 1;
      if (copy.users > 0) return;
      copies.delete(key);
      await copy.scratch[Symbol.asyncDispose]();
    };
    try {
      return { path: await copy.path, [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

function startCopy(
  { objects, spool }: { objects: Pick<Objects, "openObject">; spool: Spool },
  key: string,
): Copy {
  const scratch = spool.openScratch();
  const path = scratch.newPath();
  const bring = async (): Promise<string> => {
    const object = await objects.openObject(key);
    if (!object) throw new Fault("not-found", "The file is no longer there.");
    await pipeline(object.body, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return path;
  };
  return { users: 0, scratch, path: bring() };
}
