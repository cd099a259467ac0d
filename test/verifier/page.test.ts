import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { buildVerifierPage } from "../../scripts/verifier-page.ts";
import { pageUrl } from "../../packages/verifier/page-file.ts";

describe("the verifier's page", () => {
  it("is the one that its sources make, in less than 60 kB", async () => {
    const page = await readFile(pageUrl, "utf8");
    assert.equal(page, await buildVerifierPage(), "npm run build:verifier");
    assert.ok(Buffer.byteLength(page) < 60_000);
    assert.match(page, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
    assert.doesNotMatch(page, /unsafe|https?:\/\/|import\(|innerHTML|\beval\b/);
  });
});
