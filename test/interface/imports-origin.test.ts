import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parquetReadObjects } from "hyparquet";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { importFile, toCsv } from "./imports.ts";
import { type Site, collect, newSite } from "./site.ts";

async function readExport(site: Site, format: string): Promise<ArrayBuffer> {
  const path = service.url + hrefOf("", paths.export, { projectId: site.id, format });
  const answer = await fetch(path, { headers: { authorization: `Bearer ${site.token}` } });
  return answer.arrayBuffer();
}

describe("an import", () => {
  it("is the origin of its records wherever they are read; a collected one has none", async () => {
    const site = await newSite();
    const [first, second] = [
      await importFile(site, toCsv(site, [{ token: "a" }, { token: "b", accept: false }])),
      await importFile(site, toCsv(site, [{ token: "c" }])),
    ];
    await collect(site, "cookies", site.cookies, { accept: true, token: "d" });
    const expected = { a: first.id, b: first.id, c: second.id, d: undefined };
    const toOrigins = (records: { token: string; import?: string | null }[]) =>
      Object.fromEntries(records.map((one) => [one.token, one.import ?? undefined]));
    const list = async (query: Record<string, string> = {}, headers = {}) => {
      const at = hrefOf("", paths.consents, { projectId: site.id }, query);
      const { status, body } = await service.fetch(at, { token: site.token, headers });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const toLines = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    assert.deepEqual(toOrigins(await list()), expected);
    const stream = { accept: "application/x-ndjson" };
    assert.deepEqual(toOrigins(toLines(await list({}, stream))), expected);
    const lines = toLines(new TextDecoder().decode(await readExport(site, "ndjson"))).slice(0, -1);
    assert.deepEqual(toOrigins(lines), expected);
    const rows = await parquetReadObjects({ file: await readExport(site, "parquet") });
    assert.deepEqual(toOrigins(rows as Parameters<typeof toOrigins>[0]), expected);
    for (const cursor of [{}, { cursor: "" }]) {
      const own = async (query: object) =>
        (await list({ import: first.id, ...cursor, ...query })).map(
          ({ token }: { token: string }) => token,
        );
      assert.deepEqual(await own({}), ["b", "a"]);
      assert.deepEqual(await own({ accept: "true" }), ["a"]);
      assert.deepEqual(await own({ token: "b" }), ["b"]);
      assert.deepEqual(await own({ token: "c" }), []);
      assert.deepEqual(await own({ identifier: site.cookies, perPage: "1" }), ["b"]);
      assert.deepEqual(await own({ identifier: site.contract }), []);
    }
    assert.deepEqual(await list({ import: "0".repeat(24) }), []);
    const wrong = hrefOf("", paths.consents, { projectId: site.id }, { import: "x" });
    assert.equal((await service.fetch(wrong, { token: site.token })).status, 400);
  });
});
