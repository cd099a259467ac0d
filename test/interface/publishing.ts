import assert from "node:assert/strict";
import { join } from "node:path";
import { pino } from "pino";
import { toPlans } from "../../packages/server/modules/billing/plans.ts";
import { toWidgetFiles } from "../../packages/server/modules/publish/publications/widget-files.ts";
import { readBrowserFiles } from "../../packages/server/platform/browser-files.ts";
import { findApprovals } from "../../packages/server/modules/reviews/approvals/counting.ts";
import { startPublishJobs } from "../../packages/server/modules/publish/jobs/jobs.ts";
import { openRecordCdn } from "../../packages/server/platform/cdn/record.ts";
import { openJobs } from "../../packages/server/kernel/jobs.ts";
import { openFolderObjects } from "../../packages/server/platform/objects/folder.ts";
import { createManualPayments } from "../../packages/server/platform/payments/manual.ts";
import { openTestRenders } from "../assets/renders.ts";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";

const { fetch, newUser, newProject } = service;
const WAIT_MS_MAX = 60_000;
const DAY_MS = 86_400_000;

/** A user and their project with one cookie configuration, optionally in an organization. */
export async function newSite({ organization = false } = {}) {
  const user = await newUser();
  const owner = organization ? await newOrganization(user.token) : undefined;
  const project = await newProject(user.token, owner ? { organizationId: owner } : {});
  const cookies = await newCookies(user.token, project.id, {});
  return { ...user, project, cookies, organization: owner ?? "" };
}

async function newOrganization(token: string): Promise<string> {
  const { status, body } = await fetch("/v1/vault/organizations", { token, json: { name: "Org" } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** A cookie configuration of the project. */
export async function newCookies(
  token: string,
  projectId: string,
  fields: Record<string, unknown>,
): Promise<{ id: string } & Record<string, unknown>> {
  const steps = [
    { name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>" },
    { name: "stats", layout: "category", vendors: [{ name: "matomo", title: "Matomo" }] },
  ];
  const { status, body } = await fetch("/v1/vault/cookies", {
    token,
    json: { projectId, name: "shop-en", language: "en", steps, ...fields },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Requests a publication; without `json` the request has no payload. */
export function publish(token: string, projectId: string, json?: object) {
  const path = `/v1/publish/jobs/${projectId}`;
  return fetch(path, { method: "POST", token, ...(json ? { json } : {}) });
}

/** Polls a job by its `links.self` until it has ended. */
export async function waitForJob(token: string, job: { links: { self: string } }) {
  const read = async () => (await fetch(job.links.self, { token })).body;
  return poll({
    read,
    isRight: ({ status }) => status === "Done" || status === "Error",
    waitMs: WAIT_MS_MAX,
    toMessage: (last) => `the job ${job.links.self} does not end: ${JSON.stringify(last)}`,
  });
}

export async function publishAndWait(token: string, projectId: string, json?: object) {
  const { status, body } = await publish(token, projectId, json);
  assert.equal(status, 202, JSON.stringify(body));
  return waitForJob(token, body);
}

let changes = 0;

/** Changes a project's content, so that the next publication differs. */
export async function changeProject(token: string, projectId: string): Promise<void> {
  changes += 1;
  const json = { title: `Shop ${changes}` };
  const path = `/v1/vault/projects/${projectId}`;
  const { status } = await fetch(path, { method: "PATCH", token, json });
  assert.equal(status, 200);
}

/** The published file of the project. */
export function getFile(projectId: string) {
  return fetch(`${service.config.cdnUrl}/${projectId}.json`);
}

/** Gives an organization a subscription to the plan pro, as the operator's command does. */
export async function subscribe(
  organizationId: string,
  status: string,
  { endedDaysAgo }: { endedDaysAgo?: number } = {},
): Promise<void> {
  const now = service.clock.now();
  const end = endedDaysAgo === undefined ? null : new Date(now.getTime() - endedDaysAgo * DAY_MS);
  const row = { plan: "pro", status, current_period_end: end, updated_at: now };
  await service.db
    .insertInto("subscriptions")
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(row))
    .execute();
}

/** A publishing worker on the same database and folder, as a second process has one. */
export async function openPublishingWorker(): Promise<AsyncDisposable> {
  const log = pino({ level: "fatal" });
  const { db, buckets, config, databaseUrl, clock } = service;
  const jobs = await openJobs({ databaseUrl, log, stopTimeoutMs: 5_000 });
  const objects = await openFolderObjects({
    root: join(config.dataDir, "published"),
    now: clock.now,
  });
  const cdn = openRecordCdn({ log, now: clock.now });
  const payments = createManualPayments(db);
  const plans = toPlans(config);
  const widget = await toWidgetFiles(await readBrowserFiles("widget"), config);
  const { renders, spool } = await openTestRenders(objects);
  const shared = {
    db,
    buckets,
    jobs,
    objects,
    renders,
    spool,
    cdn,
    payments,
    plans,
    widget,
    config,
    findApprovals,
  };
  await startPublishJobs({ ...shared, now: clock.now, log });
  return jobs;
}
