import { createHash } from "node:crypto";
import { BLOCKER, ENTRY, ENTRY_GZIP, HOSTS } from "@avow/widget/names";
import type { Config } from "../../../config/config.ts";
import { paths } from "@avow/contract/urls";
import type { BrowserFiles } from "../../../platform/browser-files.ts";
import { encode } from "../../../platform/text/encode.ts";
import { isCodedStored, putCoded } from "../../../platform/objects/coded.ts";
import type { ObjectIn, Objects } from "../../../platform/objects/objects.ts";
import { widgetObject } from "./files.ts";

/** The maximum, since the entry is compressed only once. */
const BROTLI_QUALITY_MAX = 11;

type WidgetObjects = Pick<Objects, "openObject" | "putObject" | "deleteObject">;

/** The widget as this service serves it. */
export interface WidgetFiles {
  /** SHA-256 of the entry, hexadecimal. */
  hash: string;
  /** `/widget.js`, as it is and by content coding. */
  entry: { identity: Buffer; br: Buffer; gzip: Buffer };
  /** The script that holds tags, without a project's host list. */
  blocker: Buffer;
  /** Files that the entry loads, by name; each name contains its hash. */
  parts: ReadonlyMap<string, Buffer>;
}

/** Prepares the built widget; writes the address of published files into its entry if it is not this service's. */
export async function toWidgetFiles(
  files: BrowserFiles,
  { cdnUrl, http }: Pick<Config, "cdnUrl" | "http">,
): Promise<WidgetFiles> {
  const parts = new Map([...files].filter(([name]) => !name.startsWith(ENTRY) && name !== BLOCKER));
  const blocker = files.get(BLOCKER);
  const built = files.get(ENTRY);
  const builtGzip = files.get(ENTRY_GZIP);
  if (!built || !builtGzip || !blocker)
    throw new Error(`The widget has no ${ENTRY} or no ${BLOCKER}.`);
  if (blocker.toString().split(HOSTS).length !== 2)
    throw new Error(`${BLOCKER} has no place for the host list.`);
  const isOwn = cdnUrl === http.publicUrl + paths.cdn.slice(0, -1);
  const identity = isOwn ? built : withCdn(built.toString(), cdnUrl);
  const [br, gz] = await Promise.all([
    encode(identity, "br", BROTLI_QUALITY_MAX),
    isOwn ? builtGzip : encode(identity, "gzip"),
  ]);
  const hash = createHash("sha256").update(identity).digest("hex");
  return { hash, entry: { identity, br, gzip: gz }, blocker, parts };
}

/**
 * Encodes the widget and stores its files with the published ones. All files, including the entry, are stored
 * permanently under their hash, so that the code that ran can be inspected later.
 */
export async function openWidget(
  files: BrowserFiles,
  config: Pick<Config, "cdnUrl" | "http">,
  objects: WidgetObjects,
): Promise<WidgetFiles> {
  const widget = await toWidgetFiles(files, config);
  await putWidgetFiles(objects, widget);
  return widget;
}

async function putWidgetFiles(
  objects: WidgetObjects,
  { hash, entry, parts }: WidgetFiles,
): Promise<void> {
  const whole = widgetObject(hash);
  const named = [...parts].map(([name, bytes]) => ({ ...whole, key: `widget/${name}`, bytes }));
  for (const file of [...named, { ...whole, bytes: entry.identity }])
    await keepWidgetFile(objects, file);
}

/** Stores a widget file and its codings, unless an earlier start has stored them unaltered. */
export async function keepWidgetFile(objects: WidgetObjects, file: ObjectIn): Promise<void> {
  if (!(await isCodedStored(objects, file))) await putCoded(objects, file);
}

/** The widget's facts for the transparency log. */
export function toWidgetFacts({ hash, entry }: WidgetFiles) {
  return { hash, sizeBytes: entry.identity.length, file: widgetObject(hash).key };
}

function withCdn(text: string, cdnUrl: string): Buffer {
  const marked = 'new URL("cdn",';
  if (!text.includes(marked))
    throw new Error("The widget has no marker for the address of published files.");
  return Buffer.from(text.replace(marked, () => `new URL(${JSON.stringify(cdnUrl)},`));
}
