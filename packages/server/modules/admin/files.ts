import { createHash } from "node:crypto";
import { extname } from "node:path";
import { BASE_MARK, PAGE, PREVIEW } from "@avow/admin/names";
import type { BrowserFiles } from "../../platform/browser-files.ts";
import { type Coding, encode } from "../../platform/text/encode.ts";
import { memoize } from "./memoize.ts";

/** Maximum, since each file is compressed once. */
const BROTLI_QUALITY_MAX = 11;
const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A file of the admin app. */
export interface AdminFile {
  type: string;
  etag: string;
  /** Returns the file in a content coding, compressed at the first request. */
  read: (coding: Coding) => Promise<Buffer>;
}

/** The admin app: its page, the preview page of drafts, and its other files by name. */
export interface AdminFiles {
  page: AdminFile;
  preview: AdminFile;
  parts: ReadonlyMap<string, AdminFile>;
}

/** Prepares the built files of the admin app; `base` is the path of the service, such as `/consent`, or "". */
export function toAdminFiles(files: BrowserFiles, base: string): AdminFiles {
  const parts = new Map<string, AdminFile>();
  for (const [name, bytes] of files)
    if (name !== PAGE && name !== PREVIEW) parts.set(name, toAdminFile(name, bytes));
  const toPage = (name: string): AdminFile => {
    const page = files.get(name);
    if (!page) throw new Error(`The admin app has no ${name}.`);
    return toAdminFile(name, Buffer.from(page.toString().replaceAll(BASE_MARK, base)));
  };
  return { page: toPage(PAGE), preview: toPage(PREVIEW), parts };
}

function toAdminFile(name: string, bytes: Buffer): AdminFile {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`The admin app has a file of an unknown kind: ${name}.`);
  return {
    type,
    etag: createHash("sha256").update(bytes).digest("base64url").slice(0, 32),
    read: memoize((coding) => encode(bytes, coding, BROTLI_QUALITY_MAX)),
  };
}
