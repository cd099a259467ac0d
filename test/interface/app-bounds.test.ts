import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listDraftsFrom } from "../../packages/server/modules/consents/offers/drafts-store.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import {
  type Site,
  collectBatch,
  create,
  newSite,
  publish,
  readStatuses,
  toCookies,
  toProcessing,
} from "./site.ts";

const VENDORS = 900;

/** A site with a configuration of 900 vendors, created in two steps. */
async function newLargeSite(more: object = {}): Promise<Site & { large: string }> {
  const site = await newSite();
  const half = VENDORS / 2;
  const steps = ["a", "b"].map((name) => ({
    name,
    layout: "category",
    vendors: Array.from({ length: half }, (_, n) => ({
      name: `${name}-${String(n).padStart(3, "0")}`,
      ...more,
    })),
  }));
  const large = await create(site.token, "cookies", toCookies(site.id, { steps }));
  return { ...site, large };
}

/** Number of records of a project. */
async function countRecords(site: Site): Promise<number> {
  const { total } = await service.data
    .selectFrom("consents")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("project_id", "=", site.id)
    .executeTakeFirstOrThrow();
  return total;
}

describe("limits of one batch", () => {
  test("returns 413 with advice for every item beyond 20,000 answers", async () => {
    const site = await newLargeSite();
    const toItem = (n: number, identifier: string) => ({
      id: `i${n}`,
      collection: "cookies",
      identifier,
      accept: true,
    });
    const items = [
      ...Array.from({ length: 30 }, (_, n) => toItem(n, site.large)),
      toItem(30, site.cookies),
    ];
    const { status, body } = await collectBatch(site, items);
    assert.equal(status, 200, JSON.stringify(body));
    const statuses = body.map((r: { status?: number }) => r.status ?? 201);
    const fitting = Math.floor(20_000 / (VENDORS + 1));
    const expected = items.map((_, n) => (n < fitting ? 201 : 413));
    assert.deepEqual(statuses, expected);
    assert.match(body[fitting].detail, /smaller batch/);
    assert.equal(await countRecords(site), fitting);
    const again = await collectBatch(site, items.slice(fitting));
    assert.ok(again.body.every((r: object) => "consentId" in r));
  });

  test("returns 413 only for items beyond 20 configurations", async () => {
    const site = await newSite();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => create(site.token, "processings", toProcessing(site.id))),
    );
    const toItem = (identifier: string, n: number) => ({
      id: `i${n}`,
      collection: "processings",
      identifier,
      accept: true,
    });
    const items = [...ids, site.processing, ...ids.slice(0, 2)].map(toItem);
    const { body } = await collectBatch(site, items);
    const statuses = body.map((r: { status?: number }) => r.status ?? 201);
    assert.deepEqual(statuses, [...ids.map(() => 201), 413, 201, 201]);
  });

  test("changes only the states that a vendor map names", async () => {
    const site = await newLargeSite();
    const item = { collection: "cookies", identifier: site.large, accept: true, token: "t" };
    const preferences = { vendors: { "b-449": true } };
    const items = Array.from({ length: 100 }, (_, n) => ({ ...item, id: `i${n}`, preferences }));
    const { body } = await collectBatch(site, items);
    assert.ok(body.every((r: object) => "consentId" in r));
    const statuses = await readStatuses(site, "t");
    const asked = Object.entries(statuses).filter(([, status]) => status !== "never-asked");
    assert.deepEqual(asked, [[`${site.large}/b-449`, "accepted"]]);
  });
});

describe("offers of a project", () => {
  interface Row {
    identifier: string;
  }

  for (const live of [false, true])
    test(`are read in pages, each offer once and in order${live ? ", when live" : ""}`, async () => {
      const site = await newLargeSite();
      await create(site.token, "cookies", toCookies(site.id));
      if (live) await publish(site);
      await create(site.token, "processings", toProcessing(site.id));
      const seen: string[] = [];
      let parts = 0;
      for (
        let next: string | undefined = hrefOf(
          "",
          paths.clientAccepted,
          { id: site.id },
          { limit: 400 },
        );
        next;
        parts += 1
      ) {
        const answer = await service.fetch(next, { token: site.token });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.ok(answer.body.length <= 400);
        seen.push(...answer.body.map((row: Row) => row.identifier));
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
      }
      assert.ok(parts >= 3 && parts < 10, `${parts} parts`);
      assert.deepEqual(seen, seen.toSorted());
      assert.equal(new Set(seen).size, seen.length);
      // Each configuration as a whole, and two vendors of each small banner.
      assert.equal(seen.length, VENDORS + 1 + 2 * 3 + 3);
    });

  test("are read without the bodies of other configurations", async () => {
    const site = await newLargeSite({ longDescription: "It measures visits. ".repeat(20) });
    const query = { projectId: site.id, from: "", except: [], limit: 5_000 };
    const rows = await listDraftsFrom(service.db, query);
    const text = JSON.stringify(rows.map((row) => row.body));
    assert.doesNotMatch(text, /It measures visits|Write to us|I want the news/);
    assert.match(text, /b-449/);
  });
});
