import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { formulaStart, readAsSpreadsheet } from "../spreadsheet.ts";
import { countsOf, importFile } from "./imports.ts";
import { putRecords } from "./records.ts";
import { collect, newSite } from "./site.ts";

const sneaky = [
  { token: "x,=1+1,y", value: "a,=2+2,b" },
  { token: 'q","=1+1', value: ["=1", ',"=2', -5, { "@a": ",\t=3" }] },
  { token: "'x,'=1,''-2", value: "x,'=1\n=2\t=3" },
];

/** Texts that visitors may send as tokens. */
const texts = fc
  .string({ unit: fc.constantFrom(...Array.from("'=+-@\", ;a1＝")), minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== "");

test("no cell of an exported consent runs in any spreadsheet, and importing the file again adds nothing", async () => {
  const site = await newSite();
  for (const one of sneaky)
    assert.equal(
      (await collect(site, "cookies", site.cookies, { accept: true, ...one })).status,
      201,
    );
  const more = fc.sample(fc.record({ token: texts, value: fc.array(texts) }), 200);
  const used = new Set<string>();
  await putRecords(
    site,
    more.filter(({ token }) => used.size < used.add(token).size),
  );
  await rebuildStates(service.data, { projectId: site.id, isCheck: false });
  const headers = { authorization: `Bearer ${site.token}` };
  const read = async (path: string, accept = "*/*"): Promise<string> =>
    (await fetch(service.url + path, { headers: { ...headers, accept } })).text();
  const exported = await read(hrefOf("", paths.export, { projectId: site.id, format: "csv" }));
  const listed = await read(hrefOf("", paths.consents, { projectId: site.id }), "text/csv");
  const tokens = await read(hrefOf("", paths.clientTokens, { id: site.id }), "text/csv");
  const count = sneaky.length + used.size;
  for (const file of [exported, listed]) {
    assert.ok(file.includes("2+2"));
    assert.deepEqual(countsOf(await importFile(site, file)), {
      status: "Done",
      read: count,
      imported: 0,
      known: count,
      refused: 0,
    });
  }
  for (const file of [exported, listed, tokens])
    for (const separator of [";", ",", "\t"])
      for (const cell of readAsSpreadsheet(file, separator))
        assert.doesNotMatch(cell, formulaStart);
});
