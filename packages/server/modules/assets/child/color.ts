const CHANNELS = 4;
/** Low bits that are ignored when colours are counted. */
const SHIFT = 5;
const ALPHA_MIN = 128;

interface Bin {
  count: number;
  red: number;
  green: number;
  blue: number;
}

/** The approximate dominant colour of RGBA pixels, as `#rrggbb`; undefined if all are transparent. */
export function dominantColorOf(pixels: Uint8Array): string | undefined {
  const bins = new Map<number, Bin>();
  let most: Bin | undefined;
  for (let at = 0; at + CHANNELS <= pixels.length; at += CHANNELS) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + CHANNELS);
    if (alpha < ALPHA_MIN) continue;
    const key = ((red >> SHIFT) << 16) | ((green >> SHIFT) << 8) | (blue >> SHIFT);
    const bin = bins.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 };
    bins.set(key, bin);
    bin.count += 1;
    bin.red += red;
    bin.green += green;
    bin.blue += blue;
    if (!most || bin.count > most.count) most = bin;
  }
  if (!most) return undefined;
  const { count, red, green, blue } = most;
  return `#${[red, green, blue].map((sum) => toHex(sum / count)).join("")}`;
}

function toHex(value: number): string {
  return Math.round(value).toString(16).padStart(2, "0");
}
