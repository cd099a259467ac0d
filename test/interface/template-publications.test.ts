import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { getFile } from "./publishing.ts";
import { requireApprovals } from "./reviewing.ts";
import { create } from "./site.ts";
import {
  change,
  newTemplate,
  newTemplateSite,
  only,
  publishSites,
  read,
  type Template,
  waitForPublication,
} from "./template-sites.ts";

const { fetch } = service;
const SITES = 100;

const reportOf = ({ token, id }: Template) =>
  read(token, `/v1/publish/templates/${id}/report`) as Promise<Report[]>;

interface Report {
  projectId: string;
  result: string;
  message: string | null;
  asks: string;
  tokens: number;
  count: number;
  dropped: string[];
  documents: { change: string; resource: string }[];
  changes: { class: string; asks: string }[];
}

const outcomesOf = (token: string, { links }: { links: { sites: string } }) =>
  read(token, links.sites) as Promise<
    { projectId: string; title: string | null; status: string; message: string; report: Report }[]
  >;

/** Has a visitor accept the consent form of a site. */
async function acceptForm(token: string, projectId: string): Promise<void> {
  const { id } = await only(token, "processings", projectId);
  const path = `/v1/app/consents/${projectId}/processings/${id}`;
  const json = { accept: true, token: "visitor-1", url: "https://site.example/" };
  const { status, body } = await fetch(path, { json });
  assert.equal(status, 201, JSON.stringify(body));
}

describe("the publication of a template's sites", () => {
  it(`publishes ${SITES} sites in one job`, async (context) => {
    const template = await newTemplate();
    const { token } = template;
    const ids: string[] = [];
    for (let n = 0; n < SITES; n += 1) ids.push(await newTemplateSite(template));
    const startedAt = performance.now();
    const done = await publishSites(template);
    const seconds = (performance.now() - startedAt) / 1000;
    context.diagnostic(`${SITES} sites published in ${seconds.toFixed(1)} s`);
    assert.equal(done.status, "Done");
    assert.deepEqual([done.total, done.ended, done.counts["Published"]], [SITES, SITES, SITES]);
    for (const id of [ids[0], ids[50], ids[99]]) {
      const { body } = await getFile(id ?? "");
      assert.equal(body.cookies[0].name, "banner");
      assert.equal(body.cookies[0].openFields, undefined);
    }
    const again = await publishSites(template);
    assert.equal(again.counts["Unchanged"], SITES);
    const [site] = await read(token, `/v1/publish/templates/${template.id}/sites?perPage=1`);
    const { liveVersion, behind, overrides, lastStatus, publishable } = site;
    assert.deepEqual(
      { liveVersion, behind, overrides, lastStatus, publishable },
      { liveVersion: 1, behind: false, overrides: 0, lastStatus: "Unchanged", publishable: true },
    );
  });

  it("reports what changes where, and who is asked again, as it then happens", async () => {
    const template = await newTemplate();
    const { token } = template;
    const [asked, own] = [await newTemplateSite(template), await newTemplateSite(template)];
    const cookies = await only(token, "cookies", own);
    const [welcome, stats] = cookies.steps;
    const steps = [{ ...welcome, message: "<p>Ours</p>" }, stats];
    await change(token, `cookies/${cookies.id}`, { steps });
    await publishSites(template);
    await acceptForm(token, asked);
    assert.deepEqual(
      (await reportOf(template)).map(({ result, count }) => [result, count]),
      [
        ["unchanged", 0],
        ["unchanged", 0],
      ],
    );
    await change(token, `processings/${template.processing}`, {
      personalDataTypes: ["email", "phone"],
    });
    await change(token, `cookies/${template.cookies}`, { openFields: [] });
    const sites = await read(token, `/v1/publish/templates/${template.id}/sites`);
    assert.deepEqual(
      sites.map((site: { behind: boolean; overrides: number }) => [site.behind, site.overrides]),
      [
        [true, 0],
        [true, 1],
      ],
    );
    const reports = await reportOf(template);
    const [first, second] = reports;
    assert.deepEqual([first?.result, first?.asks, first?.tokens], ["changes", "again", 1]);
    assert.deepEqual([second?.asks, second?.tokens], ["again", 0]);
    assert.deepEqual(second?.dropped, ["/steps/welcome/message"]);
    assert.ok(first?.changes.some(({ asks }) => asks === "again"));
    const versions = `/v1/publish/projects/${asked}/versions`;
    assert.equal((await read(token, versions)).length, 1, "a report publishes nothing");
    const done = await publishSites(template);
    assert.equal(done.counts["Published"], 2);
    assert.deepEqual(
      (await outcomesOf(token, done)).map(({ report }) => report),
      reports,
      "the outcome has the report",
    );
    const [newest] = await read(token, versions);
    assert.equal(newest.asksAgain.tokens, 1);
    assert.equal((await getFile(own)).body.cookies[0].steps[0].message, "<p>Cookies?</p>");
  });

  it("adds and removes documents as the template does", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    await publishSites(template);
    await fetch(`/v1/vault/processings/${template.processing}`, { method: "DELETE", token });
    const file = "https://shop.example/terms.pdf";
    await create(token, "contracts", { projectId: template.id, title: "Terms", name: "t", file });
    const [report] = await reportOf(template);
    assert.deepEqual(
      report?.documents.map(({ change: kind, resource }) => [kind, resource]),
      [
        ["created", "contracts"],
        ["removed", "processings"],
      ],
    );
    await publishSites(template);
    const { body } = await getFile(id);
    assert.deepEqual([body.contracts.length, body.processings.length], [1, 0]);
  });

  it("publishes the other sites when one fails, and returns the reason", async () => {
    const template = await newTemplate();
    const { token } = template;
    const good = await newTemplateSite(template, { title: "A" });
    const bad = await newTemplateSite(template, { title: "B" });
    const path = `processings/${template.processing}`;
    const openFields = ["/automatedDecisionsContact"];
    await change(token, path, { openFields, automatedDecisionsContact: "jo@agency.example" });
    assert.equal((await publishSites(template)).counts["Published"], 2);
    const processing = await only(token, "processings", bad);
    await change(token, `processings/${processing.id}`, { automatedDecisionsContact: "" });
    // Without a contact, which the site has emptied, the configuration is not valid.
    await change(token, path, { automatedDecisions: true, automatedDecisionsDetails: "Scoring" });
    const [, report] = await reportOf(template);
    assert.equal(report?.result, "blocked", JSON.stringify(report));
    assert.ok(report.message);
    const done = await publishSites(template);
    assert.equal(done.status, "Done");
    const outcomes = await outcomesOf(token, done);
    assert.deepEqual(
      outcomes.map(({ projectId, status }) => [projectId, status]),
      [
        [good, "Published"],
        [bad, "Failed"],
      ],
    );
    assert.equal(outcomes[1]?.message, report.message);
    const failed = await read(token, `${done.links.sites}?status=Failed`);
    assert.equal(failed.length, 1);
  });

  it("skips sites that its user may not publish, without their titles", async () => {
    const template = await newTemplate();
    const { token } = template;
    const [open, closed] = [await newTemplateSite(template), await newTemplateSite(template)];
    const editor = await service.newUser();
    const json = { userId: editor.id, roles: ["editor"] };
    for (const id of [template.id, open])
      assert.equal((await fetch(`/v1/vault/projects/${id}/users`, { token, json })).status, 200);
    const as = { ...template, token: editor.token };
    const [, hidden] = await reportOf(as);
    assert.equal(hidden?.result, "skipped");
    const done = await publishSites(as);
    const outcomes = await outcomesOf(editor.token, done);
    assert.deepEqual(
      outcomes.map(({ projectId, title, status }) => [projectId, title === null, status]),
      [
        [open, false, "Published"],
        [closed, true, "Skipped"],
      ],
    );
    const { live_version: live } = await service.db
      .selectFrom("documents")
      .select("live_version")
      .where("id", "=", closed)
      .executeTakeFirstOrThrow();
    assert.equal(live, null);
    const viewer = await service.newUser();
    await fetch(`/v1/vault/projects/${template.id}/users`, {
      token,
      json: { userId: viewer.id, roles: ["viewer"] },
    });
    const path = `/v1/publish/templates/${template.id}/publications`;
    assert.equal((await fetch(path, { token: viewer.token, json: {} })).status, 403);
    assert.equal((await fetch(path, { token: viewer.token })).status, 200);
  });

  it("publishes only the sites that are named, and is cancelled by DELETE", async () => {
    const template = await newTemplate();
    const { token } = template;
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await newTemplateSite(template));
    const [first, second] = ids;
    const some = await publishSites(template, { sites: [second] });
    assert.deepEqual([some.total, some.counts["Published"]], [1, 1]);
    const path = `/v1/publish/templates/${template.id}/publications`;
    const unknown = await fetch(path, { token, json: { sites: [template.id] } });
    assert.equal(unknown.status, 422);
    assert.equal(unknown.body.errors[0].path, "/sites/0");
    const started = await fetch(path, { token, json: {} });
    const same = await fetch(path, { token, json: {} });
    assert.equal(same.body.id, started.body.id, "the one that runs is returned again");
    const cancelled = await fetch(started.body.links.self, { method: "DELETE", token });
    assert.equal(cancelled.status, 204);
    const ended = await waitForPublication(token, started.body);
    assert.equal(ended.status, "Cancelled");
    assert.equal(ended.ended, 20);
    assert.ok((ended.counts["Cancelled"] ?? 0) > 0, JSON.stringify(ended.counts));
    assert.equal((await fetch(started.body.links.self, { method: "DELETE", token })).status, 409);
    assert.ok(first);
    const { items } = await read(token, `/v1/vault/audit?projectId=${template.id}`);
    const events = new Set(items.map(({ event }: { event: string }) => event));
    for (const name of ["requested", "cancelled", "done"])
      assert.ok(events.has(`template.publication-${name}`), name);
  });

  it("needs the template's approvals, and leaves a site that needs its own to its members", async () => {
    const template = await newTemplate();
    const { token } = template;
    const site = await newTemplateSite(template);
    await requireApprovals(token, template.id);
    await requireApprovals(token, site);
    const publications = `/v1/publish/templates/${template.id}/publications`;
    const { status, body } = await fetch(publications, { token, json: {} });
    assert.deepEqual([status, body.type], [409, "/problems/approval-needed"]);
    await requireApprovals(token, template.id, { required: 0 });
    await change(token, `cookies/${template.cookies}`, { title: "We value your privacy" });
    const { items } = { items: await outcomesOf(token, await publishSites(template)) };
    assert.deepEqual(
      items.map(({ projectId, status: ended }) => [projectId, ended]),
      [[site, "Failed"]],
    );
    assert.match(
      items[0]?.message ?? "",
      /^The site is up to date\. The draft has 0 of 1 approvals/,
    );
    assert.equal((await only(token, "cookies", site)).title, "We value your privacy");
  });
});
