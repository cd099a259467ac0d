import { readBrowserFiles } from "../../../platform/browser-files.ts";

/** Reads the page that checks proofs in a browser: one file, served and put into audit packages. */
export async function readVerifierPage(): Promise<Buffer> {
  const page = (await readBrowserFiles("verifier")).get("page.html");
  if (!page) throw new Error("The verifier has no page.");
  return page;
}
