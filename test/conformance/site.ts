import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Json, assertStatus, getLink, toText, toPlain } from "./client.ts";
import { once, openOwner, removeAtEnd, runId, visitor } from "./target.ts";

const PUBLISH_TIMEOUT_MS = 60_000;
const DEFAULT_POLL_MS = 500;

/** The Data Protection Officer of a project (wire 2). */
export const dataProtectionOfficer = {
  title: "Data Protection Officer",
  fullname: "Ada Martin",
  organization: "Conformance Ltd",
  email: "privacy@example.com",
  address: "1 Test Street, 75001 Paris",
};

export const dataProcessor = {
  name: "Conformance Ltd",
  address: "1 Test Street, 75001 Paris",
  email: "privacy@example.com",
  website: "https://conformance.example.com",
};

let count = 0;

/** Creates a document, and removes it at the end of the run. */
export async function create(resource: string, fields: object): Promise<Json> {
  const { client } = await openOwner();
  const path = resource.startsWith("/") ? resource : `/v1/vault/${resource}`;
  const answer = assertStatus(await client.post(path, fields), 201);
  const id = toText(answer.json["_id"], "_id");
  removeAtEnd(() => remove(`${path}/${id}`, id));
  return answer.json;
}

async function remove(path: string, id: string): Promise<void> {
  const { client } = await openOwner();
  const answer = await client.delete(path, { query: { confirm: id } });
  assertStatus(answer, 200, 204, 404);
}

export async function createProject(fields: object = {}): Promise<Json> {
  count += 1;
  return create("projects", {
    websiteURL: "https://conformance.example.com",
    title: `Conformance ${runId} ${count}`,
    ...fields,
  });
}

/** A project with all that a publication asks of its controller. */
export function createCompleteProject(fields: object = {}): Promise<Json> {
  return createProject({
    DPO: dataProtectionOfficer,
    dataProcessor,
    locales: ["en"],
    privacypolicy: { url: "https://conformance.example.com/privacy", title: "Privacy policy" },
    ...fields,
  });
}

export const vendor = {
  name: "site_statistics",
  title: "Site statistics",
  shortDescription: "Counts visits",
  longDescription: "Counts visits, so that the site can be improved.",
  domain: "statistics.example.com",
  policyUrl: "https://statistics.example.com/privacy",
  type: "analytics",
};

/** A cookie configuration with all that a visitor needs to know. */
export function toBanner(projectId: string, fields: object = {}): object {
  return {
    projectId,
    title: "Cookies",
    language: "en",
    steps: [
      {
        name: "welcome",
        layout: "welcome",
        title: "Cookies on this site",
        message: "<p>Choose which services may use cookies.</p>",
      },
      { name: "statistics", layout: "category", title: "Statistics", vendors: [vendor] },
    ],
    ...fields,
  };
}

/** A consent form with every field of the specification's table. */
export function toProcessing(projectId: string, fields: object = {}): object {
  return {
    projectId,
    title: "Newsletter",
    subTitle: "One mail a month",
    message: "<p>May we send you our newsletter?</p>",
    purpose: "Sending the monthly newsletter by e-mail.",
    buttons: [
      { text: "Yes", color: "primary", value: true },
      { text: "No", color: "default", value: false },
    ],
    processors: [
      {
        name: "Conformance Ltd",
        shortDescription: "Sends the newsletter",
        role: "controller",
        website: "https://conformance.example.com",
      },
    ],
    personalDataTypes: ["e-mail address"],
    automatedDecisions: false,
    consentWithdraw: "Follow the link at the end of each mail.",
    storageDuration: 24,
    accept: "I agree to receive the newsletter by e-mail.",
    language: "en",
    ...fields,
  };
}

export function toContract(projectId: string, fields: object = {}): object {
  return {
    projectId,
    file: "https://conformance.example.com/terms.pdf",
    title: "Terms of sale",
    subTitle: "Version of this year",
    name: "terms",
    message: "<p>I accept the terms of sale.</p>",
    idRequired: true,
    buttons: [{ text: "I accept", color: "primary", value: true }],
    language: "en",
    ...fields,
  };
}

/** Publishes, and polls the job's own link until it is done or has failed. */
export async function publish(
  projectId: string,
  body?: object,
): Promise<{ first: Answer; job: Json }> {
  const { client } = await openOwner();
  const first = await client.post(`/v1/publish/jobs/${projectId}`, body);
  assertStatus(first, 202);
  return { first, job: await pollJob(first.json) };
}

export async function pollJob(first: Json): Promise<Json> {
  const { client } = await openOwner();
  const address = getLink(first, "self");
  const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
  let job = first;
  while (!["Done", "Error"].includes(toPlain(job["status"]))) {
    assert.ok(performance.now() < deadline, `the job is still ${toPlain(job["status"])}`);
    await sleep(Number(job["timeout"] ?? DEFAULT_POLL_MS));
    job = assertStatus(await client.get(address), 200).json;
  }
  return job;
}

/** Publishes, and asserts that the job is done. */
export async function publishDone(projectId: string, body?: object): Promise<Json> {
  const { job } = await publish(projectId, body);
  assert.equal(job["status"], "Done", `the job says: ${toPlain(job["message"])}`);
  return job;
}

/** Reads the published file of a project at the address of the job. */
export async function readPublished(job: Json): Promise<Json> {
  const { client } = await openOwner();
  return assertStatus(await client.withToken(undefined).get(toFileAddress(job)), 200).json;
}

/** `{cdn}/{projectId}.json`, beside the file that the job names. */
export function toFileAddress(job: Json): string {
  const url = toText(job["url"], "url of the job");
  const projectId = toText(job["projectId"], "projectId of the job");
  return url.split("?")[0]?.endsWith(`/${projectId}.json`)
    ? url
    : new URL(`${projectId}.json`, url).href;
}

/** Waits until nothing is at the address of a published file; caches may keep it for its short life. */
export async function waitUntilGone(address: string): Promise<void> {
  const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
  for (let n = 0; ; n += 1) {
    const { status } = await visitor.get(address, { query: { after: String(n) } });
    if (status === 403 || status === 404 || status === 410) return;
    assert.ok(performance.now() < deadline, "the published file is still there");
    await sleep(DEFAULT_POLL_MS);
  }
}

export interface Site {
  projectId: string;
  banner: string;
  processing: string;
  contract: string;
  /** The finished publish job. */
  job: Json;
}

/** A project with one configuration of each kind, published; cases only read and collect here. */
export const openSite = once(async (): Promise<Site> => {
  const projectId = toText((await createCompleteProject())["_id"]);
  const banner = await create("cookies", toBanner(projectId));
  const processing = await create("processings", toProcessing(projectId));
  const contract = await create("contracts", toContract(projectId));
  const job = await publishDone(projectId);
  return {
    projectId,
    banner: toText(banner["_id"]),
    processing: toText(processing["_id"]),
    contract: toText(contract["_id"]),
    job,
  };
});

/** The members of `actual` that `expected` names, so that members of the service are left out. */
export function select(actual: Json, expected: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
}
