import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { service } from "../harness.ts";

const { fetch, newUser, newProject } = service;

describe("wire section 0, lists that are bare arrays", async () => {
  const { token } = await newUser();
  const list = (search: string) => fetch(`/v1/vault/projects${search}`, { token });

  before(async () => {
    for (let n = 1; n <= 7; n += 1)
      await newProject(token, {
        title: `P${n}`,
        rank: n % 3,
        colors: { main: n > 4 ? "red" : "blue" },
      });
  });

  it("have `page` (1-based, default 1) and `perPage` (default 100)", async () => {
    const whole = await list("");
    assert.ok(Array.isArray(whole.body));
    assert.deepEqual(titlesOf(whole.body).toSorted(), ["P1", "P2", "P3", "P4", "P5", "P6", "P7"]);
    assert.equal(whole.headers.get("x-page"), "1");
    assert.equal(whole.headers.get("x-per-page"), "100");
    assert.deepEqual(titlesOf((await list("?page=2&perPage=3&sort=title")).body), [
      "P4",
      "P5",
      "P6",
    ]);
    assert.deepEqual((await list("?page=9&perPage=3")).body, []);
  });

  it("have headers `X-Total-Count`, `X-Page`, `X-Per-Page`, `X-Last-Page`, `Link` (first, previous, next, last)", async () => {
    const { headers } = await list("?perPage=3&page=2&sort=-title&title[exists]=true");
    assert.equal(headers.get("x-total-count"), "7");
    assert.equal(headers.get("x-page"), "2");
    assert.equal(headers.get("x-per-page"), "3");
    assert.equal(headers.get("x-last-page"), "3");
    const links = linksOf(headers);
    assert.deepEqual([...links.keys()].toSorted(), ["first", "last", "next", "prev"]);
    const expected = {
      first: ["P7", "P6", "P5"],
      prev: ["P7", "P6", "P5"],
      next: ["P1"],
      last: ["P1"],
    };
    for (const [rel, titles] of Object.entries(expected))
      assert.deepEqual(titlesOf((await fetch(links.get(rel) ?? "", { token })).body), titles, rel);
    assert.deepEqual([...linksOf((await list("?perPage=7")).headers).keys()], ["first", "last"]);
  });

  it("return every item once along the next links", async () => {
    const seen: string[] = [];
    let at: string | undefined = `${service.url}/vault/projects?perPage=2&data.rank[exists]=true`;
    for (let n = 0; at !== undefined && n < 20; n += 1) {
      const { body, headers } = await fetch(at, { token });
      seen.push(...titlesOf(body));
      at = linksOf(headers).get("next");
    }
    assert.deepEqual(seen.toSorted(), ["P1", "P2", "P3", "P4", "P5", "P6", "P7"]);
  });

  it("have `X-Last-Page` 1 when empty", async () => {
    const nobody = await newUser();
    for (const path of ["/v1/vault/projects", "/v1/vault/cookies", "/v1/client/"]) {
      const { status, body, headers } = await fetch(path, { token: nobody.token });
      assert.equal(status, 200);
      assert.deepEqual(body, []);
      assert.equal(headers.get("x-total-count"), "0");
      assert.equal(headers.get("x-last-page"), "1");
      assert.ok(headers.get("link")?.includes('rel="last"'));
    }
  });

  it("return 400 unless `perPage` is 1 to 1000 and `page` at least 1", async () => {
    assert.equal((await list("?perPage=1000")).status, 200);
    for (const search of [
      "?perPage=1001",
      "?perPage=0",
      "?perPage=-1",
      "?page=0",
      "?page=1.5",
      "?page=x",
    ]) {
      const answer = await list(search);
      assert.equal(answer.status, 400, search);
      assert.match(answer.body.errors[0].path, /^\?(page|perPage)$/);
    }
  });

  it("sort by `sort=field,-other`", async () => {
    assert.deepEqual(titlesOf((await list("?sort=-title")).body).at(0), "P7");
    const sorted = titlesOf((await list("?sort=data.rank,-title")).body);
    assert.deepEqual(sorted, ["P6", "P3", "P7", "P4", "P1", "P5", "P2"]);
    assert.deepEqual(titlesOf((await list("?sort=-createdAt,title&perPage=1")).body).length, 1);
    assert.equal((await list("?sort=nothing")).status, 400);
  });

  it("filter by `field=`, also `data.field=`, dotted paths, repeated for any-of, and each operator", async () => {
    const expected: Record<string, string[]> = {
      "title=P3": ["P3"],
      "data.title=P3": ["P3"],
      "data.rank=1": ["P1", "P4", "P7"],
      "title=P1&title=P2": ["P1", "P2"],
      "colors.main=red": ["P5", "P6", "P7"],
      "colors.main=red&data.rank=0": ["P6"],
      "title[contains]=7": ["P7"],
      "title[in]=P1,P5,none": ["P1", "P5"],
      "data.rank[exists]=true&title=P1": ["P1"],
      "data.rank[exists]=false": [],
      "data.rank[gt]=1": ["P2", "P5"],
      "data.rank[gte]=1&data.rank[lt]=2": ["P1", "P4", "P7"],
      "data.rank[lte]=0": ["P3", "P6"],
      "createdAt[gt]=2020-01-01T00:00:00.000Z&title=P1": ["P1"],
      "createdAt[lt]=2020-01-01": [],
      "version[gte]=1&title=P2": ["P2"],
      "unknownField=5&title=P1": ["P1"],
      "title=": [],
    };
    for (const [search, titles] of Object.entries(expected)) {
      const { status, body } = await list(`?sort=title&${search}`);
      assert.equal(status, 200, `${search}: ${JSON.stringify(body)}`);
      assert.deepEqual(titlesOf(body), titles, search);
    }
  });
});

describe("wire section 0, cursor lists", async () => {
  const { token } = await newUser();
  const { id: projectId } = await newProject(token);
  const tokens = Array.from({ length: 25 }, (_, n) => `visitor-${String(n).padStart(2, "0")}`);
  const path = `/v1/client/${projectId}/tokens`;

  before(async () => {
    const { body } = await fetch("/v1/vault/processings", { token, json: { projectId } });
    const items = tokens.map((visitor) => ({
      id: visitor,
      token: visitor,
      accept: true,
      collection: "processings",
      identifier: body.id,
    }));
    const answer = await fetch(`/v1/app/consents/${projectId}`, { json: items });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  });

  it('are objects `{ "items": [...], "links": { "self", "next"? } }`, with all items along the next links', async () => {
    const seen: string[] = [];
    let at: string | undefined = `${path}?limit=10`;
    let pages = 0;
    for (; at !== undefined && pages < 10; pages += 1) {
      const { status, body } = await fetch(at, { token });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).toSorted(), ["items", "links"]);
      assert.equal(typeof body.links.self, "string");
      seen.push(...body.items.map((item: { token: string }) => item.token));
      at = body.links.next;
    }
    assert.equal(pages, 3);
    assert.deepEqual(seen.toSorted(), tokens);
  });

  it("accept `limit` 1 to 1000, default 100; return 400 for a cursor that is not from `links.next`", async () => {
    assert.equal((await fetch(path, { token })).body.items.length, 25);
    for (const search of [
      "limit=0",
      "limit=1001",
      "limit=x",
      "cursor=x",
      "cursor=W10",
      "cursor=eyJhIjoxfQ",
    ]) {
      const answer = await fetch(`${path}?${search}`, { token });
      assert.equal(answer.status, 400, search);
      assert.match(answer.body.errors[0].path, /^\?(limit|cursor)$/);
    }
  });
});

function titlesOf(items: { title: string }[]): string[] {
  return items.map(({ title }) => title);
}

/** The targets of a `Link` header by their relation. */
function linksOf(headers: Headers): Map<string, string> {
  const parts = (headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return new Map([...parts].map(([, target = "", rel = ""]) => [rel, target]));
}
