import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newUser } = service;

async function newSites(
  ...sites: readonly (readonly [title: string, groups?: readonly string[]])[]
) {
  const { token } = await newUser();
  for (const [title, groups] of sites) {
    const json = { title, websiteURL: `https://${title}.example`, ...(groups && { groups }) };
    const { status } = await fetch("/v1/vault/projects", { token, json });
    assert.equal(status, 201);
  }
  return token;
}

async function listTitles(token: string, query: string): Promise<string[]> {
  const { body } = await fetch(`/v1/vault/projects?${query}`, { token });
  return body.map(({ title }: { title: string }) => title);
}

describe("groups of sites", () => {
  it("filter the list of projects, by any of several groups", async () => {
    const token = await newSites(["a", ["Retail", "Élite"]], ["b", ["Retail"]], ["c"]);
    assert.deepEqual(await listTitles(token, "groups=Retail"), ["a", "b"]);
    assert.deepEqual(await listTitles(token, `groups=${encodeURIComponent("Élite")}`), ["a"]);
    assert.deepEqual(await listTitles(token, "groups=None&groups=Retail&title=b"), ["b"]);
    assert.deepEqual(await listTitles(token, "groups[contains]=ret"), ["a", "b"]);
    assert.deepEqual(await listTitles(token, "groups[exists]=false"), ["c"]);
  });

  it("are listed with their numbers of projects, only those of the caller's projects", async () => {
    const token = await newSites(["a", ["beta", "Alpha"]], ["b", ["beta"]]);
    await newSites(["other", ["Gamma"]]);
    const { body } = await fetch("/v1/vault/groups", { token });
    assert.deepEqual(body, [
      { name: "Alpha", projects: 1 },
      { name: "beta", projects: 2 },
    ]);
  });

  for (const [title, groups, path] of [
    ["names that differ only in case", ["Retail", "RETAIL"], "/groups/1"],
    ["names that differ only in composition", ["\u00e9lite", "e\u0301lite"], "/groups/1"],
    ["white space around a name", [" Retail"], "/groups/0"],
    ["an empty name", [""], "/groups/0"],
    ["a name of 61 characters", ["x".repeat(61)], "/groups/0"],
    ["21 groups", Array.from({ length: 21 }, (_, n) => `group ${n}`), "/groups"],
  ] as const)
    it(`rejects ${title}`, async () => {
      const { token } = await newUser();
      const json = { title: "Site", websiteURL: "https://a.example", groups };
      const { status, body } = await fetch("/v1/vault/projects", { token, json });
      assert.deepEqual([status, body.errors[0].path], [400, path]);
    });

  it("limit the comparison of sites", async () => {
    const token = await newSites(["a", ['Re"tail']], ["b"]);
    const { body } = await fetch(`/v1/app/stats?group=${encodeURIComponent('Re"tail')}`, { token });
    assert.deepEqual(
      body.sites.map(({ title }: { title: string }) => title),
      ["a"],
    );
    assert.equal((await fetch("/v1/app/stats?group=%00", { token })).status, 400);
  });
});
