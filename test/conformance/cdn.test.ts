import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CdnPathsError } from "../../server/platform/cdn/cdn.ts";
import type { Cdn } from "../../server/platform/cdn/cdn.ts";
import { openRecordCdn } from "../../server/platform/cdn/record.ts";

const drivers: Record<string, () => Cdn> = {
  record: () => openRecordCdn({ log: { info: () => {} }, now: () => new Date() }),
};

for (const [name, openDriver] of Object.entries(drivers)) {
  describe(`the content network by ${name}`, () => {
    test("an invalidation answers an id and a note", async () => {
      const paths = ["/0123456789abcdef01234567.json", "/a/b.json"];
      const { id, note } = await openDriver().invalidatePaths({ paths, reference: "job 1" });
      assert.ok(id.length > 0);
      assert.ok(note.length > 0);
    });

    test("the same reference and paths are the same invalidation", async () => {
      const cdn = openDriver();
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

    test("another reference, or other paths, are another invalidation", async () => {
      const cdn = openDriver();
      const ids = [
        await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 1" }),
        await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 2" }),
        await cdn.invalidatePaths({ paths: ["/b.json"], reference: "job 2" }),
      ].map((invalidation) => invalidation.id);
      assert.equal(new Set(ids).size, 3);
    });

    for (const paths of [[], ["a.json"], ["/a b.json"], ["/é.json"], [`/${"a".repeat(2000)}`]]) {
      test(`the paths ${JSON.stringify(paths).slice(0, 40)} are refused`, async () => {
        await assert.rejects(
          openDriver().invalidatePaths({ paths, reference: "x" }),
          CdnPathsError,
        );
      });
    }

    test("1,000 paths are taken and 1,001 are refused", async () => {
      const paths = Array.from({ length: 1001 }, (_, index) => `/${index}.json`);
      const cdn = openDriver();
      await cdn.invalidatePaths({ paths: paths.slice(1), reference: "x" });
      await assert.rejects(cdn.invalidatePaths({ paths, reference: "x" }), CdnPathsError);
    });
  });
}
