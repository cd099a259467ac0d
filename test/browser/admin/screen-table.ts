import { readFileSync } from "node:fs";
import type { AdminScene } from "../../../packages/lab/screenshots/admin/scene.ts";
import { adminScenes } from "../../../packages/lab/screenshots/admin/scenes.ts";
import type { AdminSite } from "../../../packages/lab/screenshots/admin/site.ts";

const table = new URL("../../../packages/admin/screens.ts", import.meta.url);

/** The patterns of all screens, as the app's own table has them; it is for browsers, so it is read as text. */
export const patterns: readonly string[] = [
  ...readFileSync(table, "utf8").matchAll(/pattern: "([^"]+)"/g),
].map(([, pattern = ""]) => pattern);

/** Which screen is at a place of the app: the first whose pattern it follows, as the app finds it. */
function findPattern(place: string): string | undefined {
  const [path = ""] = place.split("?");
  return patterns.find((pattern) =>
    new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path),
  );
}

/** The scenes of the pictures that show a screen as its owner, or somebody new, has it. */
export function findScenes(pattern: string, site: AdminSite): readonly AdminScene[] {
  return adminScenes.filter(
    ({ at, who = "owner", network }) =>
      findPattern(at(site)) === pattern &&
      network === undefined &&
      (who === "owner" || who === "nobody"),
  );
}
