import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { parse } from "csv-parse/sync";
import { hrefOf, paths } from "@avow/contract/urls";
import { unguardCell } from "@avow/contract/csv";
import { service } from "../harness.ts";
import { type Site, collect, collectBatch, newSite, publish, share } from "./site.ts";

const ndjson = "application/x-ndjson";
/** More than two pages of a stream of tokens. */
const COUNT = 2_300;

let site: Site;
let lists: Record<"tokens" | "accepted" | "registry" | "history", string>;

before(async () => {
  site = await newSite();
  await publish(site);
  const items = Array.from({ length: COUNT }, (_, n) => ({
    id: `item-${n}`,
    collection: "cookies",
    identifier: site.cookies,
    // The first ones belong to one visitor with a long history.
    token: n < 500 ? "=visitor" : `visitor-${n}`,
    accept: n % 4 !== 0,
    value: n,
  }));
  for (let from = 0; from < COUNT; from += 500) {
    const { status } = await collectBatch(site, items.slice(from, from + 500));
    assert.equal(status, 200);
  }
  lists = {
    tokens: hrefOf("", paths.clientTokens, { id: site.id }),
    accepted: hrefOf("", paths.clientAcceptedItem, { id: site.id, identifier: site.cookies }),
    registry: hrefOf("", paths.consents, { projectId: site.id }),
    history: hrefOf("", paths.clientConsents, { id: site.id, token: "=visitor" }),
  };
});

const ask = (path: string, accept: string, token = site.token) =>
  service.fetch(path, { token, headers: { accept } });

// oxlint-disable-next-line typescript/no-explicit-any -- items are looked into
async function readLines(path: string): Promise<any[]> {
  const { status, headers, body } = await ask(path, ndjson);
  assert.equal(status, 200, body);
  assert.equal(headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  const text: string = body;
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}

async function readCsv(path: string): Promise<string[][]> {
  const { status, headers, body } = await ask(path, "text/csv");
  assert.equal(status, 200, body);
  assert.match(headers.get("content-type") ?? "", /^text\/csv/);
  const rows = parse(body, { delimiter: ";", record_delimiter: "\r\n" });
  return rows.map((row: string[]) => row.map(unguardCell));
}

/** Every item of a list, by following the links of its pages. */
async function readPages(path: string, name = "items"): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let next = `${path}?limit=1000`; next;) {
    const { body } = await ask(next, "application/json");
    items.push(...body[name]);
    next = body.links.next ?? "";
  }
  return items;
}

describe("lists of many rows stream as NDJSON and CSV", () => {
  test("the tokens of a project", async () => {
    const pages = await readPages(lists.tokens);
    assert.equal(pages.length, COUNT - 499);
    assert.deepEqual(await readLines(lists.tokens), pages);
    const [head, ...rows] = await readCsv(lists.tokens);
    assert.deepEqual(head, ["token", "firstSeenAt", "lastSeenAt", "consents"]);
    assert.equal(rows.length, pages.length);
    assert.equal(rows[0]?.[0], "=visitor");
    assert.equal(rows[0]?.[3], "500");
    const found = await readLines(`${lists.tokens}?q=visitor-229`);
    assert.equal(found.length, 10);
  });

  test("the tokens that accepted an item, with the link to later changes", async () => {
    const pages = await readPages(lists.accepted);
    assert.ok(pages.length > 1_000);
    assert.deepEqual(await readLines(lists.accepted), pages);
    const [head, ...rows] = await readCsv(lists.accepted);
    assert.deepEqual(head, ["token", "since", "consentId"]);
    assert.equal(rows.length, pages.length);
    const { headers } = await ask(lists.accepted, "text/csv");
    const changes = new URL(headers.get("x-changes") ?? "");
    await collect(site, "cookies", site.cookies, { accept: false, token: "visitor-501" });
    const [titles, ...changed] = await readCsv(changes.pathname + changes.search);
    assert.deepEqual(titles, ["token", "since", "consentId", "change"]);
    const mine = changed.filter(([token]) => token === "visitor-501");
    assert.equal(mine.at(-1)?.[3], "removed");
  });

  test("as of an instant", async () => {
    const at = new Date(Date.now() - 86_400_000).toISOString();
    assert.deepEqual(await readLines(`${lists.accepted}?at=${at}`), []);
    assert.deepEqual(await readLines(`${lists.history}?at=${at}`), []);
  });

  test("the consents of a project, newest first or oldest first, whatever the page", async () => {
    const lines = await readLines(`${lists.registry}?page=3&perPage=5`);
    assert.ok(lines.length >= COUNT);
    const ids = lines.map(({ consentId }): string => consentId);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => (a < b ? 1 : -1)),
    );
    const { body } = await ask(`${lists.registry}?perPage=1000`, "application/json");
    assert.deepEqual(lines.slice(0, 1_000), body);
    const oldest = await readLines(`${lists.registry}?sort=createdAt&token=%3Dvisitor`);
    assert.deepEqual(
      oldest.map(({ value }) => value),
      Array.from({ length: 500 }, (_, n) => n),
    );
    const [head, ...rows] = await readCsv(`${lists.registry}?accept=false&token=%3Dvisitor`);
    assert.deepEqual(head?.join(";"), "token;collection;identifier;accept;date;value;preferences");
    assert.equal(rows.length, 125);
    assert.deepEqual(rows[0]?.slice(0, 4), ["=visitor", "cookies", site.cookies, "0"]);
    assert.equal(rows[0]?.[5], "496");
  });

  test("a token's history, without the state", async () => {
    const pages = await readPages(lists.history, "history");
    assert.equal(pages.length, 500);
    assert.deepEqual(await readLines(lists.history), pages);
    const [, ...rows] = await readCsv(lists.history);
    assert.equal(rows.length, 500);
  });

  test("from a cursor to the end", async () => {
    for (const [path, name] of [
      [lists.tokens, "items"],
      [lists.accepted, "items"],
      [lists.history, "history"],
    ] as const) {
      const { body } = await ask(`${path}?limit=200`, "application/json");
      const next = new URL(body.links.next);
      const rest = await readLines(next.pathname + next.search);
      assert.equal(rest.length, (await readPages(path, name)).length - 200);
    }
  });

  test("requests without these types get JSON as before", async () => {
    for (const path of Object.values(lists))
      for (const accept of ["*/*", "application/json", "text/html,*/*;q=0.8"]) {
        const { headers } = await ask(path, accept);
        assert.match(headers.get("content-type") ?? "", /^application\/json/);
        assert.match(headers.get("vary") ?? "", /Accept/);
      }
  });

  test("callers without access get no stream either; a foreign cursor is a problem", async () => {
    const other = await newSite();
    const auditor = await share(site, "auditor");
    for (const path of Object.values(lists)) {
      assert.equal((await ask(path, ndjson, other.token)).status, 404);
      assert.equal((await service.fetch(path, { headers: { accept: ndjson } })).status, 403);
      assert.equal((await ask(path, "text/csv", auditor)).status, 200);
      const { status, headers } = await ask(`${path}?cursor=x`, "text/csv");
      assert.equal(status, 400);
      assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
    }
  });
});
