import assert from "node:assert/strict";
import { before, test } from "node:test";
import { openHosts } from "./hosts.ts";

before(() => {
  Object.assign(globalThis, { document: { baseURI: "https://shop.example/page" } });
});

const { findVendors, isMentioned } = openHosts([
  ["www.google.com/maps", "maps"],
  ["www.google.com", "search"],
  ["*.google.com", "other"],
  ["js.stripe.com"],
  ["dev.example:8443/a+b", "dev"],
]);

const found: [address: string, vendors: string[] | undefined][] = [
  ["https://www.google.com/maps/embed?pb=1", ["maps"]],
  ["//WWW.Google.com/maps", ["maps"]],
  ["https://www.google.com/search", ["search"]],
  ["https://www.google.com:8080/search", ["search"]],
  ["https://google.com", ["other"]],
  ["https://a.b.google.com/x", ["other"]],
  ["wss://a.google.com/x", ["other"]],
  ["https://js.stripe.com/v3/", []],
  ["https://dev.example:8443/a+b/c", ["dev"]],
  ["https://dev.example/a+b/c", undefined],
  ["https://dev.example:8443/aab", undefined],
  ["https://notgoogle.com/", undefined],
  ["https://google.com.evil.example/", undefined],
  ["https://evil.example/www.google.com/maps", undefined],
  ["https://wwwxgoogle.com/", undefined],
  ["/google.com", undefined],
  ["https://", undefined],
];

for (const [address, vendors] of found)
  test(`finds ${vendors?.join() ?? "no vendor"} for ${address}`, () => {
    assert.deepEqual(findVendors(address), vendors);
  });

test("finds hosts in a text", () => {
  assert.ok(isMentioned(`<iframe src="https://maps.google.com/x">`));
  assert.ok(!isMentioned(`<iframe src="https://maps.example/x">`));
});
