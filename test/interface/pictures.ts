import sharp, { type Sharp } from "sharp";
import type { UploadedAssetOut } from "../../packages/server/modules/assets/schema.ts";
import { paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";

/** A file of an upload form. */
export interface SentFile {
  bytes: Uint8Array | string;
  name?: string;
  type?: string;
}

/** Uploads files as a form does. */
export function upload(
  token: string,
  files: readonly SentFile[],
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const { body, contentType } = toForm(files);
  return service.fetch(paths.assets, {
    method: "POST",
    token,
    body,
    headers: { "content-type": contentType, ...headers },
  });
}

/** The body of a form (RFC 7578), with names unescaped. */
export function toForm(files: readonly SentFile[]) {
  const boundary = "----avow-test-7MA4YWxk";
  const parts = files.flatMap(({ bytes, name = "picture.png", type }, at) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="field-${at}"; filename="${name}"\r\n`,
    type === undefined ? "\r\n" : `content-type: ${type}\r\n\r\n`,
    bytes,
    "\r\n",
  ]);
  const all = [...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part));
  return {
    body: new Uint8Array(Buffer.concat(all)),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Uploads one valid file. */
export async function uploadOne(token: string, file: SentFile): Promise<UploadedAssetOut> {
  const { status, body } = await upload(token, [file]);
  if (status !== 200) throw new Error(`rejected: ${status} ${JSON.stringify(body)}`);
  return body[0];
}

let shades = 0;

/** A unique picture: a plain field with a corner of another colour. */
export function newPicture({ width = 120, height = 80, alpha = 1 } = {}): Sharp {
  shades += 1;
  const background = { r: shades % 200, g: 90, b: (shades * 7) % 250, alpha };
  const corner = { r: 250, g: 250, b: 250, alpha: 1 };
  return sharp({ create: { width, height, channels: 4, background } }).composite([
    {
      input: { create: { width: 9, height: 7, channels: 4, background: corner } },
      left: 0,
      top: 0,
    },
  ]);
}

/** The frames of a small animation, each of another colour. */
export function newFrames(count: number): Promise<Buffer[]> {
  shades += 1;
  const own = shades;
  return Promise.all(
    Array.from({ length: count }, (_, at) => {
      const background = { r: Math.floor((at * 250) / count), g: own % 250, b: 120 };
      return sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer();
    }),
  );
}

export async function fetchBytes(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes };
}
