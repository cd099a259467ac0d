// npm run build:widget: the widget as browsers load it, into packages/widget/built/.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { gzipAsync } from "@gfx/zopfli";
import { ENTRY, ENTRY_GZIP, builtUrl } from "../packages/widget/built-files.ts";
import { buildWidget } from "./widget-files.ts";

await rm(builtUrl, { recursive: true, force: true });
await mkdir(builtUrl, { recursive: true });
for (const [name, text] of await buildWidget()) {
  const gzip = await gzipAsync(Buffer.from(text), {});
  await writeFile(new URL(name, builtUrl), text);
  if (name === ENTRY) await writeFile(new URL(ENTRY_GZIP, builtUrl), gzip);
  console.log(`${name}: ${Buffer.byteLength(text)} bytes, ${gzip.length} as gzip`);
}
