import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, type Json, assertStatus, getLink, toText, toPlain } from "./client.ts";
import {
  dataProcessor,
  dataProtectionOfficer,
  toBanner,
  toContract,
  toProcessing,
} from "./documents.ts";
import { once, openOwner, removeAtEnd, runId, visitor } from "./target.ts";

const PUBLISH_TIMEOUT_MS = 60_000;
const DEFAULT_POLL_MS = 500;

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
