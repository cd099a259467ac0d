import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type Site, collectBatch, newSite, readStatuses, readToken } from "./site.ts";

const unknownId = "0123456789abcdef01234567";

function toItem(site: Site, id: string, more: object = {}): object {
  return { id, collection: "cookies", identifier: site.cookies, accept: true, token: "t", ...more };
}

async function countRecords(site: Site): Promise<number> {
  const rows = await service.data
    .selectFrom("consents")
    .select("id")
    .where("project_id", "=", site.id)
    .execute();
  return rows.length;
}

/** Number of records that the states of each token count. */
async function countByToken(site: Site): Promise<Record<string, number>> {
  const rows = await service.data
    .selectFrom("consent_states")
    .select(["token", "consents"])
    .where("project_id", "=", site.id)
    .execute();
  const counts: Record<string, number> = {};
  for (const { token, consents } of rows) counts[token] = (counts[token] ?? 0) + consents;
  return counts;
}

describe("POST /v1/app/consents/{projectId}", () => {
  test("returns 200 with one result for each item in order: the consent", async () => {
    const site = await newSite();
    const { status, body } = await collectBatch(site, [
      toItem(site, "a"),
      toItem(site, "b", { accept: false, token: "u" }),
      toItem(site, "c", { collection: "processings", identifier: site.processing }),
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.map((c: Record<string, unknown>) => [c["token"], c["accept"], c["collection"]]),
      [
        ["t", true, "cookies"],
        ["u", false, "cookies"],
        ["t", true, "processings"],
      ],
    );
    const { body: read } = await readToken(site, "t");
    assert.deepEqual(read.history, [body[2], body[0]]);
    assert.deepEqual(await countByToken(site), { t: 2, u: 1 });
  });

  test("rejects only the item that cannot be stored or is nested too deeply", async () => {
    const site = await newSite();
    const deep = JSON.parse("[".repeat(10_000) + "]".repeat(10_000)) as unknown;
    const { status, body } = await collectBatch(site, [
      toItem(site, "nul", { value: "a\u0000b" }),
      toItem(site, "lone", { value: { "\ud800": 1 } }),
      toItem(site, "good"),
      toItem(site, "deep", { value: deep }),
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.map((r: { status?: number }) => r.status ?? 201),
      [400, 400, 201, 400],
    );
    assert.equal(await countRecords(site), 1);
  });

  test("returns a problem for a bad item, and stores its neighbours", async () => {
    const site = await newSite();
    const other = await newSite();
    const { status, body } = await collectBatch(site, [
      toItem(site, "good"),
      toItem(site, "foreign", { identifier: other.cookies }),
      toItem(site, "typed", { accept: "yes", token: 7 }),
      { accept: true },
      null,
      toItem(site, "large", { value: "x".repeat(102_400) }),
      toItem(site, "collection", { collection: "contracts" }),
      toItem(site, "when", { timestamp: "0000-01-01T00:00:00Z" }),
      toItem(site, "x".repeat(65)),
      toItem(site, "last"),
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.map((r: { status?: number }) => r.status ?? 201),
      [201, 404, 400, 400, 400, 413, 404, 400, 400, 201],
    );
    assert.deepEqual(body[2].errors.map((e: { path: string }) => e.path).toSorted(), [
      "/accept",
      "/token",
    ]);
    assert.equal(body[2].message, body[2].detail);
    assert.equal(await countRecords(site), 2);
  });

  test("returns the first consent again for the same `id`, and adds nothing", async () => {
    const site = await newSite();
    const { token: _, ...anonymous } = toItem(site, "anonymous") as Record<string, unknown>;
    const items = [
      toItem(site, "a", { value: { b: 1.5, a: [null] }, url: "https://shop.example/?q=1" }),
      anonymous,
      toItem(site, "a", { value: { a: [null], b: 1.5 }, url: "https://shop.example/?q=2" }),
    ];
    const first = await collectBatch(site, items);
    assert.deepEqual(first.body[2], first.body[0]);
    const second = await collectBatch(site, [toItem(site, "new"), ...items]);
    assert.deepEqual(second.body.slice(1), first.body);
    assert.equal(await countRecords(site), 3);
    const { body } = await readToken(site, "t");
    assert.equal(body.history.length, 2);
  });

  test("rejects the later of two items with the same id and different content with 422", async () => {
    const site = await newSite();
    const { body } = await collectBatch(site, [
      toItem(site, "a"),
      toItem(site, "a", { accept: false }),
    ]);
    assert.equal(body[0].accept, true);
    assert.equal(body[1].status, 422);
    const later = await collectBatch(site, [toItem(site, "a", { token: "u" }), toItem(site, "b")]);
    assert.equal(later.body[0].status, 422);
    assert.equal(later.body[1].accept, true);
    assert.equal(await countRecords(site), 2);
  });

  test("scopes ids to a project: another project may use the same one", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    await collectBatch(site, [toItem(site, "a")]);
    const { body } = await collectBatch(other, [toItem(other, "a", { accept: false })]);
    assert.equal(body[0].accept, false);
  });

  test("stores batches once that are sent concurrently, in any order", async () => {
    const site = await newSite();
    const items = Array.from({ length: 50 }, (_, n) =>
      toItem(site, `i${n}`, { token: `t${n % 7}` }),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => collectBatch(site, n % 2 ? items : items.toReversed())),
    );
    assert.deepEqual(
      answers.map((a) => a.status),
      answers.map(() => 200),
    );
    assert.ok(answers.every(({ body }) => body.every((r: object) => "consentId" in r)));
    assert.equal(await countRecords(site), 50);
    const counts = Object.values(await countByToken(site));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      50,
    );
  });

  test("counts the last of several answers of one token in a batch, and knows which answer it replaced", async () => {
    const site = await newSite();
    await collectBatch(site, [toItem(site, "0")]);
    const matomo = async () => {
      const { body } = await readToken(site, "t");
      const of = (s: { identifier: string }) => s.identifier === `${site.cookies}/matomo`;
      return body.state.find(of);
    };
    const before = await matomo();
    service.clock.advance(60_000);
    await collectBatch(site, [
      toItem(site, "1", { accept: false }),
      toItem(site, "2"),
      toItem(site, "3"),
    ]);
    service.clock.reset();
    const after = await matomo();
    assert.equal(after.status, "accepted");
    assert.ok(after.since > before.since, "the run started again");
    await collectBatch(site, [
      toItem(site, "4", { token: "w" }),
      toItem(site, "5", { accept: false, token: "w" }),
    ]);
    const statuses = await readStatuses(site, "w");
    assert.equal(statuses[`${site.cookies}/matomo`], "withdrawn");
  });

  test("accepts up to 500 items, returns 400 for 501, and an empty array for an empty one", async () => {
    const site = await newSite();
    const items = Array.from({ length: 501 }, (_, n) => toItem(site, `i${n}`));
    assert.equal((await collectBatch(site, items)).status, 400);
    assert.equal(await countRecords(site), 0);
    const { status, body } = await collectBatch(site, items.slice(1));
    assert.equal(status, 200);
    assert.equal(body.length, 500);
    assert.equal(await countRecords(site), 500);
    assert.deepEqual((await collectBatch(site, [])).body, []);
  });

  test("rejects a body over 2 MiB with 413, a non-array with 400, an unknown project with 404", async () => {
    const site = await newSite();
    const items = Array.from({ length: 30 }, (_, n) =>
      toItem(site, `i${n}`, { value: "x".repeat(90_000) }),
    );
    assert.equal((await collectBatch(site, items)).status, 413);
    assert.equal((await collectBatch(site, { accept: true })).status, 400);
    assert.equal((await collectBatch({ id: unknownId }, [toItem(site, "a")])).status, 404);
    assert.equal(await countRecords(site), 0);
  });

  test("allows any origin (CORS), and honours Idempotency-Key", async () => {
    const site = await newSite();
    const at = hrefOf("", paths.collectBatch, { projectId: site.id });
    const headers = { origin: "https://anywhere.example", "idempotency-key": `b-${site.id}` };
    const { token: _, ...anonymous } = toItem(site, "a") as Record<string, unknown>;
    const first = await service.fetch(at, { json: [anonymous], headers });
    assert.equal(first.headers.get("access-control-allow-origin"), "*");
    const again = await service.fetch(at, { json: [anonymous], headers });
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
  });
});
