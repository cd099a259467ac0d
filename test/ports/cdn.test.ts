import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { CdnPathsError } from "../../packages/server/platform/cdn/cdn.ts";
import type { Cdn } from "../../packages/server/platform/cdn/cdn.ts";
import { openCloudFrontCdn } from "../../packages/server/platform/cdn/cloudfront.ts";
import { openPurgeCdn } from "../../packages/server/platform/cdn/purge.ts";
import { openCloudFrontStandIn } from "../stand-ins/cloudfront.ts";
import { setCredentials } from "../stand-ins/credentials.ts";
import { openPurgeStandIn } from "../stand-ins/purge.ts";
import { openRecordCdn } from "../../packages/server/platform/cdn/record.ts";

type TestCdn = { cdn: Cdn; close: () => Promise<void> };

const drivers: Record<string, () => Promise<TestCdn>> = {
  record: async () => {
    const cdn = openRecordCdn({ log: { info: () => {} }, now: () => new Date() });
    return { cdn, close: async () => {} };
  },
  CloudFront: async () => {
    const opened = new AsyncDisposableStack();
    const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
    const distributionId = "E2STANDIN";
    const standIn = opened.use(await openCloudFrontStandIn({ ...signer, distributionId }));
    opened.use(setCredentials(signer, { AWS_ENDPOINT_URL_CLOUDFRONT: standIn.url }));
    const log = { warn: () => undefined };
    const cdn = opened.use(await openCloudFrontCdn({ distributionId, log }));
    return { cdn, close: () => opened.disposeAsync() };
  },
  purge: async () => {
    const cache = await openPurgeStandIn();
    const request = { method: "PURGE", headers: {}, body: undefined };
    const place = { caches: [`${cache.url}{path}`], cdnUrl: "https://cdn.example" };
    const cdn = openPurgeCdn({ ...request, ...place });
    return { cdn, close: async () => cache[Symbol.asyncDispose]() };
  },
};

for (const [name, openDriver] of Object.entries(drivers)) {
  describe(`the content network by ${name}`, () => {
    let opened: TestCdn;
    let cdn: Cdn;
    beforeEach(async () => {
      opened = await openDriver();
      cdn = opened.cdn;
    });
    afterEach(() => opened.close());

    test("returns an id and a note for an invalidation", async () => {
      const paths = ["/0123456789abcdef01234567.json", "/a/b.json"];
      const { id, note } = await cdn.invalidatePaths({ paths, reference: "job 1" });
      assert.ok(id.length > 0);
      assert.ok(note.length > 0);
    });

    test("returns the same invalidation for the same reference and paths", async () => {
      const first = await cdn.invalidatePaths({
        paths: ["/a.json", "/b.json"],
        reference: "job 1",
      });
      const again = await cdn.invalidatePaths({
        paths: ["/b.json", "/a.json"],
        reference: "job 1",
      });
      assert.equal(again.id, first.id);
    });

    test("creates another invalidation for another reference or other paths", async () => {
      const ids = [
        await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 1" }),
        await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 2" }),
        await cdn.invalidatePaths({ paths: ["/b.json"], reference: "job 2" }),
      ].map((invalidation) => invalidation.id);
      assert.equal(new Set(ids).size, 3);
    });

    for (const paths of [[], ["a.json"], ["/a b.json"], ["/é.json"], [`/${"a".repeat(2000)}`]]) {
      test(`rejects the paths ${JSON.stringify(paths).slice(0, 40)}`, async () => {
        await assert.rejects(cdn.invalidatePaths({ paths, reference: "x" }), CdnPathsError);
      });
    }

    test("accepts 1,000 paths and rejects 1,001", async () => {
      const paths = Array.from({ length: 1001 }, (_, index) => `/${index}.json`);
      await cdn.invalidatePaths({ paths: paths.slice(1), reference: "x" });
      await assert.rejects(cdn.invalidatePaths({ paths, reference: "x" }), CdnPathsError);
    });
  });
}
