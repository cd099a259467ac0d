// npm run build:admin: the admin app as browsers load it, into packages/admin/built/.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { builtUrl } from "../packages/admin/built-files.ts";
import { buildAdmin } from "./admin-files.ts";

await rm(builtUrl, { recursive: true, force: true });
await mkdir(builtUrl, { recursive: true });
for (const [name, text] of await buildAdmin()) {
  await writeFile(new URL(name, builtUrl), text);
  console.log(`${name}: ${Buffer.byteLength(text)} bytes, ${gzipSync(text).length} as gzip`);
}
