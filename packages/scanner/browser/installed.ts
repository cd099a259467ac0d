import { existsSync } from "node:fs";
import { ScanError } from "../network/errors.ts";

/** Places of Chromium's packages. The headless shell needs the least memory. */
const installed = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/usr/bin/microsoft-edge",
  "/snap/bin/chromium",
  "/usr/lib/chromium/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const advice =
  "Install Debian's package chromium-headless-shell or chromium, or set CHROMIUM_PATH to the program.";

/** The program of Chromium: the given one, else an installed one. @throws ScanError */
export function findChromium(given?: string): string {
  if (given !== undefined) {
    if (existsSync(given)) return given;
    throw new ScanError(`There is no Chromium at ${given} (CHROMIUM_PATH). ${advice}`);
  }
  const found = installed.find((path) => existsSync(path));
  if (found === undefined) throw new ScanError(`Scans need Chromium. ${advice}`);
  return found;
}
