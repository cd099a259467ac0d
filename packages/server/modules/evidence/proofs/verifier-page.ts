import type { BrowserFiles } from "../../../platform/browser-files.ts";

/** The page that checks proofs in a browser: one file, served and put into audit packages. */
export function getVerifierPage(files: BrowserFiles): Buffer {
  const page = files.get("page.html");
  if (!page) throw new Error("The verifier has no page.");
  return page;
}
