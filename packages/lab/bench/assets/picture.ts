import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import sharp from "sharp";

/** A picture like a photograph of 12 megapixels: gradients with grain. */
export function makePhoto(): Promise<Buffer> {
  const [width, height] = [4_000, 3_000];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="a"><stop offset="0" stop-color="#fd8"/><stop offset="1" stop-color="#247"/></radialGradient><filter id="n"><feTurbulence baseFrequency=".02" numOctaves="4"/><feComposite in2="SourceGraphic" operator="arithmetic" k1=".4" k2=".2" k3=".8"/></filter></defs><rect width="100%" height="100%" fill="url(#a)" filter="url(#n)"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().jpeg({ quality: 88 }).toBuffer();
}

/** Just under 20 MiB of incompressible data. */
const NOISE_SIDE = 2_620;
const END_BYTES = 12;

/** A PNG of noise of about 20 MB, as the parts around the bytes that make each copy unique. */
export async function makeLargePng(): Promise<{ size: number; copy: () => Buffer[] }> {
  const raw = { width: NOISE_SIDE, height: NOISE_SIDE, channels: 3 } as const;
  const bytes = await sharp(randomBytes(NOISE_SIDE ** 2 * 3), { raw })
    .png({ compressionLevel: 0, adaptiveFiltering: false })
    .toBuffer();
  const whole = bytes.subarray(0, -END_BYTES);
  const end = bytes.subarray(-END_BYTES);
  const copy = (): Buffer[] => [whole, toComment(randomBytes(8).toString("hex")), end];
  return { size: Buffer.concat(copy()).length, copy };
}

function toComment(text: string): Buffer {
  const named = Buffer.from(`tEXtComment\0${text}`, "latin1");
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
