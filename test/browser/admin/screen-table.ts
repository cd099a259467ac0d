import { readFileSync } from "node:fs";
import type { AdminScene } from "../../../packages/lab/screenshots/admin/scene.ts";
import { adminScenes } from "../../../packages/lab/screenshots/admin/scenes.ts";
import type { AdminSite } from "../../../packages/lab/screenshots/admin/site.ts";

const table = new URL("../../../packages/admin/screens.ts", import.meta.url);

/** The patterns of all screens in the app's own table, parsed as text since it is a browser module. */
export const patterns: readonly string[] = [
  ...readFileSync(table, "utf8").matchAll(/pattern: "([^"]+)"/g),
].map(([, pattern = ""]) => pattern);

/** The screen at a path of the app: the first pattern that matches, as in the app. */
function findPattern(place: string): string | undefined {
  const [path = ""] = place.split(/[?#]/);
  return patterns.find((pattern) =>
    new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path),
  );
}

/** The scenes of the screenshots that show a screen as its owner or a new user sees it. */
export function findScenes(pattern: string, site: AdminSite): readonly AdminScene[] {
  return adminScenes.filter(
    ({ at, who = "owner", network }) =>
      findPattern(at(site)) === pattern &&
      network === undefined &&
      (who === "owner" || who === "nobody"),
  );
}
