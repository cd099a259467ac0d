// npm run build:verifier: the verifier's page as one file, packages/verifier/page.html.
import { writeFile } from "node:fs/promises";
import { pageUrl } from "../packages/verifier/page-file.ts";
import { buildVerifierPage } from "./verifier-page.ts";

const page = await buildVerifierPage();
await writeFile(pageUrl, page);
console.log(
  `Wrote packages/verifier/page.html: ${(Buffer.byteLength(page) / 1000).toFixed(1)} kB.`,
);
