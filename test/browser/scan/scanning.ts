import { existsSync } from "node:fs";
import { type ScanOptions, scanSite } from "@avow/scanner";
import type { Phase, ScanResult } from "@avow/scanner/result";
import { executablePath } from "../../runner/browser.ts";

const isRequired = process.env["BROWSER_TESTS"] === "required";
export const skip =
  isRequired || existsSync(executablePath)
    ? false
    : `no browser at ${executablePath} (CHROMIUM_PATH)`;

/** Root cannot use Chromium's sandbox. */
const hasSandbox = process.getuid?.() !== 0;

/** Scans a site of a test. */
export function scan(
  options: Pick<ScanOptions, "url" | "resolve"> & Partial<ScanOptions>,
): Promise<ScanResult> {
  return scanSite({ executablePath, hasSandbox, isInsecure: true, pageSeconds: 10, ...options });
}

/** The phase of a result with this name. */
export function phaseOf({ phases }: ScanResult, name: Phase["name"]): Phase {
  const found = phases.find((phase) => phase.name === name);
  if (!found) throw new Error(`The result has no phase ${name}.`);
  return found;
}
