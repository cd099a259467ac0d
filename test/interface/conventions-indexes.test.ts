import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { service } from "../harness.ts";
import { listDocuments } from "../../packages/server/modules/vault/documents/access.ts";
import { rolesFor } from "../../packages/server/kernel/rights.ts";
import { toFilters, toSort } from "../../packages/server/kernel/filters/filters.ts";
import { openExplained } from "./explained.ts";

const DOCUMENTS = 5_000;
const PROJECTS = 100;
const fields = {
  declared: new Set(["title", "projectId", "language"]),
  service: new Set(["id", "createdAt"]),
};

/** Wire section 2 and the issue, part 3: "filters and sort that use indexes". */
describe("no list of the vault scans a table of 5,000 documents", async () => {
  const { token, id: userId } = await service.newUser();
  const { id: own } = await service.newProject(token);
  const { db, queries, explain } = openExplained();

  before(async () => {
    const now = new Date();
    const others = Array.from({ length: PROJECTS - 1 }, () => randomBytes(12).toString("hex"));
    const projects = [own, ...others];
    const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
      const projectId = projects[n % PROJECTS] ?? own;
      return {
        id: `00${randomBytes(11).toString("hex")}`,
        resource: "cookies",
        project_id: projectId,
        organization_id: null,
        version: 1,
        deleted_at: null,
        body: JSON.stringify({ projectId, title: `Title ${n}`, language: n % 2 ? "en" : "fr" }),
        created_at: now,
        created_by: userId,
        updated_at: now,
        updated_by: userId,
      };
    });
    for (let at = 0; at < rows.length; at += 1_000)
      await db
        .insertInto("documents")
        .values(rows.slice(at, at + 1_000))
        .execute();
    await sql`ANALYZE documents`.execute(db);
    await sql`ANALYZE document_users`.execute(db);
  });

  const cases: Record<string, Record<string, string>> = {
    "the default list": {},
    "a filter for equality": { title: "Title 300" },
    "the configurations of a project": { projectId: own },
    "two filters": { projectId: own, language: "fr" },
    "a filter on an id": { id: own },
    "sorted by a service field": { sort: "-createdAt" },
    "sorted by a field of the body": { sort: "title" },
    "a filter, sorted": { language: "fr", sort: "-title" },
  };
  for (const [name, { sort, ...query }] of Object.entries(cases)) {
    it(name, async () => {
      queries.length = 0;
      const filters = toFilters(query, fields);
      const page = await listDocuments(
        db,
        { kind: "user", userId },
        {
          resource: "cookies",
          held: rolesFor("read"),
          page: 1,
          perPage: 100,
          jsonpath: filters.jsonpath,
          columns: filters.columns,
          sort: toSort(sort, fields).sort,
        },
      );
      assert.ok(page.total <= DOCUMENTS / PROJECTS);
      assert.equal(queries.length, 2);
      for (const asked of queries.slice()) {
        const plan = JSON.stringify(await explain(asked));
        assert.doesNotMatch(plan, /"Node Type":"Seq Scan"[^{}]*"Relation Name":"documents"/, plan);
        assert.match(plan, /Index/);
      }
    });
  }

  it("the same lists through HTTP return the same documents", async () => {
    const { body, headers } = await service.fetch(
      `/v1/vault/cookies?projectId=${own}&language=fr`,
      { token },
    );
    assert.equal(headers.get("x-total-count"), String(body.length));
    assert.equal(body.length, DOCUMENTS / PROJECTS);
  });
});
