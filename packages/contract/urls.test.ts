import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { hrefOf, paths, withHost } from "./urls.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.stringMatching(/^[\w.:*'()~!+ -]{0,12}$/),
);

test("percent-encodes path parameters and the query", () => {
  fc.assert(
    fc.property(text, text, text, (id, token, cursor) => {
      const encoded = `/v1/client/${encodeURIComponent(id)}/consents/${encodeURIComponent(token)}`;
      assert.equal(hrefOf("", paths.clientConsents, { id, token }), encoded);
      const query = new URLSearchParams({ limit: "5", cursor, "a b": token });
      assert.equal(
        hrefOf(
          "https://x.example",
          paths.clientConsents,
          { id, token },
          { limit: 5, cursor, none: undefined, "a b": token },
        ),
        `https://x.example${encoded}?${query.toString()}`,
      );
    }),
  );
});

test("returns the path alone without parameters, and no question mark without a query", () => {
  assert.equal(hrefOf("https://x.example", paths.plans, {}), "https://x.example/v1/billing/plans");
  assert.equal(hrefOf("", paths.plans, {}, { cursor: undefined }), "/v1/billing/plans");
  assert.equal(
    hrefOf("", paths.documentDiff, { resource: "r", documentId: "d", from: 1, to: 2 }),
    "/v1/vault/r/d/versions/1/diff/2",
  );
});

test("replaces the host of the public URL, and keeps its port and path", () => {
  const replaced = (url: string) => withHost(url, "consent.agency.example");
  assert.equal(replaced("https://x.example"), "https://consent.agency.example");
  assert.equal(replaced("http://127.0.0.1:80/a"), "http://consent.agency.example/a");
  assert.equal(replaced("http://127.0.0.1:8080"), "http://consent.agency.example:8080");
  assert.equal(withHost("https://x.example/a", undefined), "https://x.example/a");
});
