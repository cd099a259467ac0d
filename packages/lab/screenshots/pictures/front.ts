import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { root } from "../../instance/service.ts";

/** The pictures of the README, by their scenes. */
export const frontScenes = [
  "demo",
  "admin-banner",
  "admin-publish",
  "admin-statistics",
  "admin-person",
  "person",
] as const;

const folder = join(root, "docs", "pictures");
/** The part of a longer screen that is visible in a window. */
const frame = { left: 0, top: 0, width: 1280, height: 800 };
const QUALITY = 78;

/** Creates the README's pictures from the screenshots: on a desktop, light and dark, compressed. */
export async function writeFront(taken: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const scene of frontScenes)
    for (const scheme of ["light", "dark"]) {
      const picture = sharp(join(taken, `${scene}-desktop-${scheme}.png`)).extract(frame);
      const file = join(folder, `${scene}-${scheme}.webp`);
      await picture.webp({ quality: QUALITY, effort: 6, smartSubsample: true }).toFile(file);
    }
  return folder;
}
