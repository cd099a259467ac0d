import type { BrowserFiles } from "../../../platform/browser-files.ts";

/** The page that verifies proofs in a browser: a single file, served and included in audit packages. */
export function getVerifierPage(files: BrowserFiles): Buffer {
  const page = files.get("page.html");
  if (!page) throw new Error("The verifier has no page.");
  return page;
}
