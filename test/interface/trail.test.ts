import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { parse } from "csv-parse/sync";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import type { Tables } from "../../packages/server/platform/db/tables.ts";
import { type TrailQuery, listEvents } from "../../packages/server/kernel/events/events-store.ts";
import { type TestAnswer, service } from "../harness.ts";
import { getAuditPackage } from "./audit-packages.ts";
import { create, newSite, publish, share, toCookies } from "./site.ts";

const at = "/v1/vault/audit";
const read = (token: string, query: Record<string, string>): Promise<TestAnswer> =>
  service.fetch(`${at}?${new URLSearchParams(query).toString()}`, { token });

interface Entry {
  id: string;
  at: string;
  event: string;
  actor: { id: string; displayName?: string; tokenId?: string };
  documentId?: string;
}

const eventsOf = ({ status, body }: TestAnswer): string[] => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((entry: Entry) => entry.event);
};

/** An organization with a project, and a user with a role in it. */
async function newTeam(role: string) {
  const owner = await service.newUser();
  const { token } = owner;
  const organizationId = await create(token, "organizations", { name: "Shops" });
  const { id: projectId } = await service.newProject(token, { organizationId });
  const member = await service.newUser();
  const users = `/v1/vault/organizations/${organizationId}/users`;
  await service.fetch(users, { token, json: { userId: member.id, roles: [role] } });
  return { owner, member, organizationId, projectId };
}

describe("the audit trail", () => {
  it("lists actor, action, document, time and origin, newest first", async () => {
    const { owner, member, organizationId, projectId } = await newTeam("editor");
    const cookies = await create(member.token, "cookies", toCookies(projectId));
    const answer = await read(owner.token, { organizationId });
    assert.deepEqual(eventsOf(answer), [
      "configuration.created",
      "rights.changed",
      "project.created",
      "configuration.created",
    ]);
    const [entry] = answer.body.items;
    assert.deepEqual(
      [entry.actor.id, entry.documentId, entry.projectId, entry.organizationId, entry.network],
      [member.id, cookies, projectId, organizationId, "127.0.0.0/24"],
    );
    assert.equal(entry.actor.displayName, member.email.split("@")[0]);
    assert.equal(entry.actor.email, member.email);
    const { body: sessions } = await service.fetch("/v1/auth/tokens", { token: member.token });
    assert.equal(entry.actor.tokenId, sessions[0].id);
    assert.deepEqual(entry.details, { resource: "cookies", version: 1 });
    assert.match(entry.requestId, /^\S+$/);
    const { body: granted } = await read(owner.token, { organizationId, event: "rights.changed" });
    assert.deepEqual(granted.items[0].details, { userId: member.id, roles: ["editor"] });
    assert.ok(!JSON.stringify(answer.body.items).includes("127.0.0.1"), "the address is truncated");
    // A project's events are those about it and its contents.
    assert.deepEqual(eventsOf(await read(owner.token, { projectId })), [
      "configuration.created",
      "project.created",
    ]);
  });

  it("is for owners and auditors: an editor is forbidden, and strangers get 404", async () => {
    const { owner, member, organizationId, projectId } = await newTeam("editor");
    const auditor = await service.newUser();
    const json = { userId: auditor.id, roles: ["auditor"] };
    const users = `/v1/vault/organizations/${organizationId}/users`;
    await service.fetch(users, { token: owner.token, json });
    const stranger = await service.newUser();
    for (const query of [{ organizationId }, { projectId }] as Record<string, string>[]) {
      const statuses = [];
      for (const { token } of [owner, auditor, member, stranger])
        statuses.push((await read(token, query)).status);
      assert.deepEqual(statuses, [200, 200, 403, 404], JSON.stringify(query));
    }
    const key = await service.fetch("/v1/auth/tokens", {
      token: auditor.token,
      json: { label: "audit", scopes: ["trail:read"], projectId },
    });
    assert.equal((await read(key.body.token, { projectId })).status, 200);
    assert.equal((await read(key.body.token, { organizationId })).status, 404);
    for (const link of ["projects", "organizations"] as const) {
      const id = link === "projects" ? projectId : organizationId;
      const { body } = await service.fetch(`/v1/vault/${link}/${id}`, { token: owner.token });
      assert.equal((await service.fetch(body.links.audit, { token: owner.token })).status, 200);
    }
  });

  it("is filtered by actor, event, document and time, and comes in pages", async () => {
    const { owner, member, organizationId, projectId } = await newTeam("editor");
    const cookies = await create(member.token, "cookies", toCookies(projectId));
    const path = `/v1/vault/cookies/${cookies}`;
    for (const title of ["B", "C"])
      await service.fetch(path, { method: "PATCH", token: owner.token, json: { title } });
    const { body: whole } = await read(owner.token, { organizationId });
    const found = async (query: Record<string, string>) =>
      eventsOf(await read(owner.token, { organizationId, ...query }));
    assert.deepEqual(await found({ actor: member.id }), ["configuration.created"]);
    const updated = ["configuration.updated", "configuration.updated"];
    assert.deepEqual(await found({ event: "configuration.updated" }), updated);
    assert.deepEqual(await found({ documentId: cookies }), [...updated, "configuration.created"]);
    const [newest, second] = whole.items as Entry[];
    assert.ok(newest && second);
    assert.deepEqual((await found({ from: newest.at }))[0], newest.event);
    assert.equal((await found({ to: second.at })).includes("configuration.updated"), false);
    assert.deepEqual(await found({ actor: "nobody" }), []);
    const ids: string[] = [];
    let next = `${service.url}${at}?organizationId=${organizationId}&limit=2`;
    while (next) {
      const { body } = await service.fetch(next, { token: owner.token });
      ids.push(...body.items.map((entry: Entry) => entry.id));
      next = body.links.next;
    }
    assert.deepEqual(
      ids,
      whole.items.map((entry: Entry) => entry.id),
    );
  });

  it("requires one organization or one project, and a cursor of its own", async () => {
    const { owner, organizationId, projectId } = await newTeam("editor");
    for (const query of [{}, { organizationId, projectId }, { projectId, cursor: "x" }])
      assert.equal((await read(owner.token, query as Record<string, string>)).status, 400);
    const cursor = Buffer.from(JSON.stringify(["yesterday", "1"])).toString("base64url");
    assert.equal((await read(owner.token, { projectId, cursor })).status, 400);
  });

  it("streams whole as NDJSON and CSV", async () => {
    const { owner, organizationId } = await newTeam("viewer");
    const { body } = await read(owner.token, { organizationId });
    const stream = async (accept: string): Promise<string> =>
      (
        await service.fetch(`${at}?organizationId=${organizationId}&limit=1`, {
          token: owner.token,
          headers: { accept },
        })
      ).body;
    const lines = (await stream("application/x-ndjson")).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      body.items,
    );
    const rows = parse(await stream("text/csv"), { delimiter: ";", columns: true }) as Record<
      string,
      string
    >[];
    assert.deepEqual(
      rows.map((row) => [row["event"], row["actor"]]),
      body.items.map((entry: Entry) => [entry.event, entry.actor.id]),
    );
  });

  it("is immutable: the database rejects updates, deletions and truncation of events, also by its owner", async () => {
    const { projectId } = await newTeam("viewer");
    for (const statement of [
      sql`UPDATE events SET actor = 'somebody' WHERE project_id = ${projectId}`,
      sql`DELETE FROM events WHERE project_id = ${projectId}`,
      sql`TRUNCATE events CASCADE`,
    ])
      await assert.rejects(statement.execute(service.db), /events are append-only/);
  });

  it("is in audit packages of its readers", async () => {
    const site = await newSite();
    await publish(site);
    const now = service.clock.now().getTime();
    const period = {
      start: new Date(now - 3_600_000).toISOString(),
      end: new Date(now + 1_000).toISOString(),
    };
    const { files } = await getAuditPackage(site.id, period, site);
    const trail = (files.get("audit.ndjson") ?? "").trim().split("\n");
    const entries = trail.map((line) => JSON.parse(line) as Entry);
    assert.equal(entries[0]?.event, "project.created");
    assert.equal(entries[0]?.actor.id, site.userId);
    for (const event of ["configuration.created", "publish.done"])
      assert.ok(
        entries.some((entry) => entry.event === event),
        event,
      );
    assert.ok(files.get("README.txt")?.includes("audit.ndjson"));
    const editor = { ...site, token: await share(site, "editor") };
    const theirs = await getAuditPackage(site.id, period, editor);
    assert.equal(theirs.files.has("audit.ndjson"), false);
    assert.ok(!theirs.files.get("README.txt")?.includes("audit.ndjson"));
  });
});

describe("each query of the audit trail has its index", async () => {
  const { owner, member, organizationId, projectId } = await newTeam("viewer");
  const pool = new Pool({ connectionString: service.databaseUrl, max: 1 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  after(() => db.destroy());
  const names = ["project.updated", "configuration.updated", "publish.done"];
  await sql`
    INSERT INTO events (name, actor, organization_id, project_id, document_id, data, created_at)
    SELECT (${sql.val(names)}::text[])[n % 3 + 1], 'user' || n % 50, 'org' || n % 40, 'project' || n % 80,
      'document' || n % 200, '{}', now() - n * interval '1 minute'
    FROM generate_series(1, 20000) n`.execute(db);
  await sql`ANALYZE events`.execute(db);
  const queries: Record<string, Omit<TrailQuery, "order" | "limit">> = {
    "an organization's": { of: { organizationId } },
    "a project's": { of: { projectId } },
    "by actor": { of: { organizationId: "org1" }, actor: member.id },
    "by event name": { of: { projectId: "project1" }, name: "rights.changed" },
    "of an organization, by name": { of: { organizationId: "org1" }, name: "project.created" },
    "by document": { of: { organizationId: "org1" }, documentId: "document1" },
    "by time": { of: { projectId: "project1" }, from: new Date(0), to: new Date() },
    "a page far down": {
      of: { organizationId: "org1" },
      after: { at: new Date(Date.now() - 3_600_000), id: 5 },
    },
  };
  for (const [name, query] of Object.entries(queries))
    it(name, async () => {
      const plans: string[] = [];
      const explaining = new Kysely<Tables>({
        dialect: new PostgresDialect({ pool }),
        log: ({ query: { sql: text } }) => void plans.push(text),
      });
      await listEvents(explaining, { ...query, order: "desc", limit: 100 });
      const compiled = plans[0] ?? "";
      assert.match(compiled, /from "events"/);
      const { rows } = await pool.query(`EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${compiled}`);
      const plan = JSON.stringify(rows[0]["QUERY PLAN"]);
      assert.doesNotMatch(plan, /"Node Type":"Seq Scan"[^{}]*"Relation Name":"events"/, plan);
      assert.match(plan, /"Index Name":"events_\w+"/);
    });
  it("is read by its owner", async () => {
    assert.ok(eventsOf(await read(owner.token, { projectId })).includes("project.created"));
  });
});
