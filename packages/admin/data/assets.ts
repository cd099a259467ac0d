import {
  type Asset,
  type UploadedAsset,
  getAsset,
  listAssets,
  uploadAssets,
} from "@avow/client/operations";
import { sendFile, sendWhole, toAddress } from "../api/send.ts";
import { openUpload } from "../api/upload.ts";

/** The media types that the service accepts, by content; also the `accept` filter of file inputs. */
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
/** The filter of the gallery: all files, all images, or one type. */
export type AssetFilter = "" | "image" | AssetType;

/** The service rejects larger files. */
export const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** The size of a tile in CSS pixels, for screens with two device pixels each. */
const TILE = { w: 240, h: 180, dpr: 2 };
const SVG = "image/svg+xml";
const idPattern = /^[0-9a-f]{24}$/;

/**
 * The parameters of a render, with the names of the service's query parameters. Absent ones have the service's
 * defaults.
 */
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

/** Whether a text is the id of a file, and not an address. */
export function isAssetId(text: unknown): text is string {
  return typeof text === "string" && idPattern.test(text);
}

/** Whether the file is an image, which can be shown and rendered. */
export function isPicture({ detectedMimeType }: Pick<Asset, "detectedMimeType">): boolean {
  return detectedMimeType.startsWith("image/");
}

/** The address of a file or a render for this page. */
export function toAssetHref(id: string, asked: RenderOptions = {}): string {
  return toAddress(getAsset, { path: { id }, query: { ...asked } });
}

/** The public address of a file or a render, for other websites. */
export function toPublicHref({ url }: Pick<Asset, "url">, asked: RenderOptions): string {
  const pairs = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  // An unescaped comma is valid in a query and easier to read.
  const query = new URLSearchParams(pairs).toString().replaceAll("%2C", ",");
  return query === "" ? url : `${url}?${query}`;
}

/** The address of an image in the size of a tile. */
export function toTileHref({ id, detectedMimeType }: Asset): string {
  // An SVG scales without a render.
  const asked: RenderOptions = detectedMimeType === SVG ? {} : { fit: "max", fm: "webp" };
  return toAssetHref(id, { ...TILE, ...asked });
}

interface AssetsQuery {
  page: number;
  perPage: number;
  name: string;
  type: AssetFilter;
}

/** A page of the user's files, newest first, and the total. @throws Problem */
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

/** A loaded render. */
export interface Render {
  /** An object URL, to be revoked. */
  src: string;
  bytes: number;
  type: string;
}

/** Loads a render with the `Accept` header of an image element. @throws Problem */
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
  /** The share that is sent, 0 to 1. */
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
  if (!asset) throw new Error("The service accepted the file but returned none.");
  return asset;
}
