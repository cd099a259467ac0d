import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Client } from "./client.ts";
import { readSiteSurroundings } from "./sites.ts";

/** A client whose lists have `total` documents that match every filter. */
function openLists(total: number) {
  const documents = Array.from({ length: total }, (_, n) => ({ id: `${n}`, title: `t${n}` }));
  const inputs: { query: { page: number; perPage: number }; filter?: object }[] = [];
  const send = (_operation: unknown, input: (typeof inputs)[number]) => {
    inputs.push(input);
    const { page, perPage } = input.query;
    return Promise.resolve(documents.slice((page - 1) * perPage, page * perPage));
  };
  return { client: { send: send as Client["send"] }, inputs };
}

describe("the surroundings of a table of sites", () => {
  it("have all pages of organizations and templates", async () => {
    const { client } = openLists(1_001);
    const { organizations, templates } = await readSiteSurroundings(client, []);
    assert.deepEqual([organizations.length, templates.length], [1_001, 1_001]);
    assert.deepEqual(templates.at(-1), { id: "1000", name: "t1000" });
  });

  it("are looked up by 20 addresses at once, those with a comma included", async () => {
    const { client, inputs } = openLists(0);
    const addresses = Array.from({ length: 21 }, (_, n) => `https://a.example/${n},x`);
    await readSiteSurroundings(client, addresses);
    assert.deepEqual(
      inputs.slice(2).map(({ filter }) => filter),
      [{ websiteURL: addresses.slice(0, 20) }, { websiteURL: addresses.slice(20) }],
    );
  });
});
