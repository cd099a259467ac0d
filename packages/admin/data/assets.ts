import {
  type Asset,
  type UploadedAsset,
  getAsset,
  listAssets,
  uploadAssets,
} from "@avow/client/operations";
import { sendFile, sendWhole, toAddress } from "../api/send.ts";
import { openUpload } from "../api/upload.ts";

/** What the service takes, by content; the browser offers files by it. */
export const acceptedTypes = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/svg+xml",
  "application/pdf",
] as const;
type AssetType = (typeof acceptedTypes)[number];
/** What lists are cut down to: everything, every kind of picture, or one kind of file. */
export type AssetFilter = "" | "image" | AssetType;

/** The service refuses more. */
export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Of a tile, in pixels of the page, for screens of two dots to one. */
const TILE = { w: 240, h: 180, dpr: 2 };
const SVG = "image/svg+xml";
const idPattern = /^[0-9a-f]{24}$/;

/** How a render is asked for, as the service's parameters name it; what is left out is as it is by itself. */
export interface RenderOptions {
  w?: number;
  h?: number;
  dpr?: number;
  fit?: "clip" | "crop" | "fill" | "max" | "scale";
  crop?: string;
  bg?: string;
  fm?: "auto" | "avif" | "webp" | "jpg" | "png";
  q?: number;
  auto?: string;
}

/** Whether a text is the id of a file, and no address. */
export function isAssetId(text: unknown): text is string {
  return typeof text === "string" && idPattern.test(text);
}

/** Whether it can be shown, and renders be made of it. */
export function isPicture({ detectedMimeType }: Pick<Asset, "detectedMimeType">): boolean {
  return detectedMimeType.startsWith("image/");
}

/** Where this page reads a file, or a render of it. */
export function toAssetHref(id: string, asked: RenderOptions = {}): string {
  return toAddress(getAsset, { path: { id }, query: { ...asked } });
}

/** Where everybody reads it: for other websites. */
export function toPublicHref({ url }: Pick<Asset, "url">, asked: RenderOptions): string {
  const pairs = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  // A comma in a query stands for itself, and reads better.
  const query = new URLSearchParams(pairs).toString().replaceAll("%2C", ",");
  return query === "" ? url : `${url}?${query}`;
}

/** Where a picture is, in the size of a tile. */
export function toTileHref({ id, detectedMimeType }: Asset): string {
  // An SVG is sharp in any size as it is.
  const asked: RenderOptions = detectedMimeType === SVG ? {} : { fit: "max", fm: "webp" };
  return toAssetHref(id, { ...TILE, ...asked });
}

interface AssetsQuery {
  page: number;
  perPage: number;
  name: string;
  type: AssetFilter;
}

/** A page of one's own files, the newest first, and how many there are. @throws Problem */
export async function readAssets({ page, perPage, name, type }: AssetsQuery) {
  const query = {
    page,
    perPage,
    ...(name === "" ? {} : { name }),
    ...(type === "" ? {} : { type }),
  };
  const { body, headers } = await sendWhole(listAssets, { query });
  return { all: body, total: Number(headers.get("x-total-count")) };
}

/** A render as it came. */
export interface Render {
  /** Of its bytes, in this page; to be revoked. */
  src: string;
  bytes: number;
  type: string;
}

/** Asks for a render as a picture of a page does. @throws Problem */
export async function readRender(
  id: string,
  query: RenderOptions,
  signal: AbortSignal,
): Promise<Render> {
  const accept = "image/avif,image/webp,image/*";
  const answer = await sendFile(getAsset, { path: { id }, query }, { signal, headers: { accept } });
  const file = await answer.blob();
  return { src: URL.createObjectURL(file), bytes: file.size, type: file.type };
}

interface Uploading {
  signal: AbortSignal;
  /** How much of it is sent, 0 to 1. */
  onSent: (share: number) => void;
}

/** Uploads one file. @throws Problem */
export async function uploadFile(
  file: File,
  { signal, onSent }: Uploading,
): Promise<UploadedAsset> {
  const body = new FormData();
  body.append("file", file, file.name);
  const answer = await sendFile(uploadAssets, { body }, { signal, transport: openUpload(onSent) });
  const [asset] = (await answer.json()) as UploadedAsset[];
  if (!asset) throw new Error("The service took a file and answered none.");
  return asset;
}
