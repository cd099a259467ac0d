import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildVerifier } from "../../packages/verifier/build.ts";

describe("the verifier's page", () => {
  it("is one file of less than 60 kB whose policy allows only its own script and style", async () => {
    const page = (await buildVerifier()).get("page.html") ?? "";
    assert.ok(Buffer.byteLength(page) < 60_000);
    assert.match(page, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
    assert.doesNotMatch(page, /unsafe|https?:\/\/|import\(|innerHTML|\beval\b/);
  });
});
