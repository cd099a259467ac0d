import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import canonicalize from "canonicalize";
import { pino } from "pino";
import type { ScanResult } from "@avow/scanner/result";
import { openJobs } from "../../../packages/server/kernel/jobs.ts";
import { runScanHousekeeping, startDueScans } from "../../../packages/server/modules/scans/jobs.ts";
import { requestScan } from "../../../packages/server/modules/scans/scans.ts";
import { toCtx } from "../../../packages/server/kernel/ctx.ts";
import { inTransaction } from "../../../packages/server/platform/db/transaction.ts";
import { service } from "../../harness.ts";
import { waitForMail } from "../../interface/mails.ts";
import { newCookies, publishAndWait } from "../../interface/publishing.ts";
import { poll } from "../../poll.ts";
import { executablePath } from "../../runner/browser.ts";
import { listen, phaseOf, sendPage, skip } from "./scanning.ts";

const { fetch, newUser, newProject } = service;
const WAIT_MS = 120_000;
const DAY_MS = 86_400_000;

/** A user with a published project, whose website is on 127.0.0.2 and its vendor on 127.0.0.3. */
async function newScannedSite(port: number, fields: object = {}) {
  const user = await newUser();
  const websiteURL = `http://127.0.0.2:${port}/`;
  const project = await newProject(user.token, { websiteURL, ...fields });
  const stats = { name: "stats", title: "Stats", hosts: ["127.0.0.3"] };
  const gone = { name: "gone", title: "Gone", hosts: ["gone.example"] };
  await newCookies(user.token, project.id, {
    steps: [
      { name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>" },
      { name: "stats", layout: "category", vendors: [stats, gone] },
    ],
  });
  return { ...user, project, scans: `/v1/publish/projects/${project.id}/scans` };
}

const waitForScan = (token: string, self: string) =>
  poll({
    read: async () => (await fetch(self, { token })).body,
    isRight: ({ status }) => !["Pending", "Active"].includes(status),
    waitMs: WAIT_MS,
    toMessage: (last) => `the scan ${self} does not end: ${JSON.stringify(last)}`,
  });

/** No job is started without Chromium. */
const neverJobs = {
  sendJob: () => Promise.reject(new Error("a job was sent")),
  workQueue: () => Promise.resolve(),
  scheduleJob: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** A page with the widget, a tag that it blocks, and whatever else the page has. */
const toPage = (projectId: string, port: number, more = "") => `<!doctype html><html lang="en">
  <title>Shop</title>
  <script src="${service.url}/widget.js" data-project="${projectId}" data-service="${service.url}" async></script>
  <script type="text/plain" data-avow-vendor="stats" data-src="http://127.0.0.3:${port}/tag.js"></script>
  ${more}`;

describe("scans of a project", { skip }, () => {
  it("answers through the widget, records no consent, and keeps the result with its publication", async () => {
    let page = "";
    await using site = await listen("127.0.0.2", (...given) => sendPage(page)(...given));
    await using vendor = await listen("127.0.0.3", (_request, response) => {
      response.setHeader("content-type", "text/javascript");
      response.end('document.cookie = "stats_id=1; max-age=3600";');
    });
    const { token, project, scans } = await newScannedSite(site.port);
    page = toPage(project.id, vendor.port);
    const published = await publishAndWait(token, project.id);
    assert.equal(published.status, "Done", JSON.stringify(published));
    const { status, body: started, headers } = await fetch(scans, { method: "POST", token });
    assert.equal(status, 202, JSON.stringify(started));
    assert.equal(headers.get("location"), started.links.self);
    const again = await fetch(scans, { method: "POST", token });
    assert.equal(again.body.id, started.id, "one scan of a project at a time");

    const scan = await waitForScan(token, started.links.self);
    assert.equal(scan.status, "Done", scan.message);
    const result = scan.result as ScanResult;
    assert.deepEqual(
      result.phases.map(({ name, answeredBy }) => [name, answeredBy]),
      [
        ["unanswered", null],
        ["refused", "Avow"],
        ["accepted", "Avow"],
      ],
    );
    const isContacted = (name: "unanswered" | "refused" | "accepted") =>
      phaseOf(result, name).requests.some(({ host }) => host === "127.0.0.3");
    assert.deepEqual(
      [isContacted("unanswered"), isContacted("refused"), isContacted("accepted")],
      [false, false, true],
    );
    assert.deepEqual(
      result.findings.map(({ kind, name }) => [kind, name]),
      [
        ["undeclared", "stats_id"],
        ["unseen", "gone"],
      ],
    );
    // Evidence: the publication that was live, and a hash that anybody can compute.
    assert.deepEqual([scan.version, scan.hash], [published.version, published.hash]);
    const text = canonicalize(scan.result) ?? "";
    assert.equal(scan.resultHash, createHash("sha256").update(text).digest("hex"));
    const consents = await fetch(`/v1/app/consents/${project.id}`, { token });
    assert.deepEqual(consents.body, [], "a scan is no visitor");
    const listed = await fetch(scans, { token });
    assert.deepEqual(
      listed.body.map(({ id }: { id: string }) => id),
      [scan.id],
    );
    assert.equal(listed.body[0].result, undefined, "lists have no results");
    const cancelled = await fetch(started.links.self, { method: "DELETE", token });
    assert.equal(cancelled.status, 409);
  });

  it("scans on schedule and after a publication, mails about news, and keeps evidence", async () => {
    let page = "";
    await using site = await listen("127.0.0.2", (...given) => sendPage(page)(...given));
    const settings = { scan: { everyDays: 7, afterPublication: true, pages: 2 } };
    const { token, email, project, scans } = await newScannedSite(site.port, settings);
    await using jobs = await openJobs({
      databaseUrl: service.databaseUrl,
      log: pino({ level: "fatal" }),
      stopTimeoutMs: 1_000,
    });
    const { db, clock } = service;
    const app = {
      db,
      jobs,
      now: clock.now,
      log: pino({ level: "fatal" }),
      chromium: { path: executablePath },
    };
    const runDue = async () => {
      await startDueScans(app);
      const [{ links }] = (await fetch(scans, { token })).body;
      return waitForScan(token, links.self);
    };
    await startDueScans(app);
    assert.deepEqual((await fetch(scans, { token })).body, [], "nothing is published");
    page = "<title>Shop</title>";
    await publishAndWait(token, project.id);
    const first = await runDue();
    assert.deepEqual([first.status, first.cause, first.pagesMax], ["Done", "publication", 2]);
    assert.equal((await runDue()).id, first.id, "nothing is due");
    clock.advance(8 * DAY_MS);
    page = `<title>Shop</title><img src="http://127.0.0.3:9/pixel">
      <script>document.cookie = "newcomer=1"</script>`;
    const second = await runDue();
    assert.deepEqual([second.status, second.cause], ["Done", "schedule"]);
    const mail = await waitForMail(email, /Something new was found on/);
    // Names are shown so that mail programs make no links of them.
    assert.match(mail.text ?? "", /– host 127\u2060?\.\u2060?0\u2060?\.\u2060?0\u2060?\.\u2060?3/);
    assert.match(mail.text ?? "", /– cookie newcomer/);
    assert.ok(mail.text?.includes(`/admin/projects/${project.id}/scans/${second.id}`));
    clock.advance(100 * DAY_MS);
    await runScanHousekeeping(app);
    const rows = db.selectFrom("scans").select("id").where("project_id", "=", project.id);
    assert.deepEqual(await rows.execute(), [{ id: first.id }], "evidence is kept");
  });

  it("cancels a running scan, and reports a site that does not load", async () => {
    await using silent = await listen("127.0.0.2", () => undefined);
    const { token, scans } = await newScannedSite(silent.port);
    const { body: started } = await fetch(scans, { method: "POST", token, json: { pages: 1 } });
    await poll({
      read: async () => (await fetch(started.links.self, { token })).body,
      isRight: ({ progress }) => progress !== null,
      waitMs: WAIT_MS,
      toMessage: (last) => `no progress: ${JSON.stringify(last)}`,
    });
    assert.equal((await fetch(started.links.self, { method: "DELETE", token })).status, 204);
    const { status, message } = await waitForScan(token, started.links.self);
    assert.deepEqual([status, message], ["Cancelled", "The scan was cancelled."]);
    await using broken = await listen("127.0.0.2", (_request, response) => {
      response.writeHead(500).end();
    });
    const other = await newScannedSite(broken.port);
    const second = await fetch(other.scans, { method: "POST", token: other.token });
    const failed = await waitForScan(other.token, second.body.links.self);
    assert.equal(failed.status, "Error");
    assert.match(failed.message, /does not load: status 500/);
    assert.equal(failed.result, null);
  });

  it("fails a scan whose worker died, and starts none too often or without Chromium", async () => {
    const { db, clock } = service;
    const { token, id, project, scans } = await newScannedSite(9);
    const insert = (n: number, status: string, startedAt: Date | null) =>
      db
        .insertInto("scans")
        .values({
          id: `${String(n).padStart(2, "0")}${project.id.slice(2)}`,
          project_id: project.id,
          status,
          cause: "request",
          url: "http://127.0.0.2:9/",
          pages_max: 1,
          created_at: clock.now(),
          created_by: id,
          started_at: startedAt,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
    const dead = await insert(0, "Active", new Date(clock.now().getTime() - 2 * 3_600_000));
    await runScanHousekeeping({ db, now: clock.now });
    const { body } = await fetch(`${scans}/${dead.id}`, { token });
    assert.deepEqual(
      [body.status, body.message],
      ["Error", "The scan did not end. Scan the site again."],
    );
    for (let n = 1; n < 20; n += 1) await insert(n, "Error", null);
    const limited = await fetch(scans, { method: "POST", token });
    assert.equal(limited.status, 429);
    assert.equal(limited.headers.get("retry-after"), "3600");

    const app = { jobs: neverJobs, chromium: { missing: "Scans need Chromium. Install it." } };
    const other = await newScannedSite(9);
    const actor = { kind: "system", name: "test" } as const;
    await assert.rejects(
      inTransaction(db, (tx) =>
        requestScan(toCtx({ tx, actor, now: clock.now(), requestId: undefined }), app, {
          projectId: other.project.id,
          cause: "request",
        }),
      ),
      { kind: "conflict", message: "Scans need Chromium. Install it. Then restart." },
    );
  });

  it("is for those who may publish, and reads for those who may read", async () => {
    const { token, project, scans } = await newScannedSite(9);
    const stranger = await newUser();
    const unknown = `${scans}/${"0".repeat(24)}`;
    assert.equal((await fetch(scans, { method: "POST" })).status, 403);
    for (const [path, method] of [
      [scans, "POST"],
      [scans, "GET"],
      [unknown, "GET"],
      [unknown, "DELETE"],
    ] as const)
      assert.equal((await fetch(path, { method, token: stranger.token })).status, 404, path);
    assert.equal((await fetch(unknown, { token })).status, 404);
    const invalid = await fetch(scans, { token, json: { pages: 51 } });
    assert.equal(invalid.status, 400);
    const viewer = await newUser();
    await fetch(`/v1/vault/projects/${project.id}/users`, {
      token,
      json: { email: viewer.email, roles: ["viewer"] },
    });
    await fetch(`/v1/vault/projects/${project.id}/users/${viewer.id}`, {
      method: "PUT",
      token,
      json: { roles: ["viewer"] },
    });
    assert.equal((await fetch(scans, { method: "POST", token: viewer.token })).status, 403);
    assert.deepEqual((await fetch(scans, { token: viewer.token })).body, []);
  });
});
