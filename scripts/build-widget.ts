// npm run build:widget: the widget as browsers load it, into widget/built/.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { builtUrl } from "../widget/built-files.ts";
import { buildWidget } from "./widget-files.ts";

await rm(builtUrl, { recursive: true, force: true });
await mkdir(builtUrl, { recursive: true });
for (const [name, text] of await buildWidget()) {
  await writeFile(new URL(name, builtUrl), text);
  const [plain, gzip] = [Buffer.byteLength(text), gzipSync(text, { level: 9 }).length];
  console.log(`${name}: ${(plain / 1000).toFixed(1)} kB, ${(gzip / 1000).toFixed(1)} kB gzip`);
}
