import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../../platform/errors.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { toAssetKey } from "../formats/tasks.ts";
import type { Scratch, Spool } from "./spool.ts";

/** A local copy of a content, until it is disposed. */
export interface LocalSource extends AsyncDisposable {
  path: string;
}

interface Copy {
  users: number;
  scratch: Scratch;
  path: Promise<string>;
}

/** Copies contents from storage to the local disk; concurrent users share a copy. */
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
  const download = async (): Promise<string> => {
    const object = await objects.openObject(key);
    if (!object) throw new Fault("not-found", "The file no longer exists.");
    await pipeline(object.body, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return path;
  };
  return { users: 0, scratch, path: download() };
}
