// npm run vectors: writes docs/reference/mobile-vectors.json from the headless core.
import { writeFile } from "node:fs/promises";
import { toVectors, vectorsFile } from "./vectors.ts";

await writeFile(vectorsFile, await toVectors());
