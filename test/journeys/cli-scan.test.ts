import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runAvow } from "../command.ts";

describe("avow scan without a usable browser", () => {
  it("prints its help", async () => {
    const { code, out } = await runAvow(["scan", "--help"]);
    assert.equal(code, 0);
    assert.match(out, /^Usage: avow scan URL/);
  });

  it("names the package to install where there is no Chromium", async () => {
    const env = { CHROMIUM_PATH: "/nowhere/chromium" };
    const { code, err } = await runAvow(["scan", "https://shop.example"], { env });
    assert.equal(code, 1);
    assert.match(
      err,
      /no Chromium at \/nowhere\/chromium \(CHROMIUM_PATH\)\. Install Debian's package/,
    );
  });

  for (const [name, args] of [
    ["a missing address", []],
    ["two addresses", ["https://a.example", "https://b.example"]],
    ["a scheme that is not of the web", ["ftp://a.example"]],
    ["too many pages", ["https://a.example", "--pages", "51"]],
    ["a mapping to a name", ["https://a.example", "--map", "a.example=b.example"]],
    ["an unknown option", ["https://a.example", "--fast"]],
  ] as const)
    it(`rejects ${name}`, async () => {
      const { code, err } = await runAvow(["scan", ...args]);
      assert.equal(code, 2, err);
      assert.match(err, /See: avow scan --help/);
    });
});
