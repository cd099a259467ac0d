import assert from "node:assert/strict";
import { paths, hrefOf } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";

/** A project with one configuration of each collection, as the tests of consents need it. */
export interface Site {
  token: string;
  userId: string;
  id: string;
  cookies: string;
  processing: string;
  contract: string;
}

export const vendors = [
  { name: "matomo", title: "Matomo", domain: "matomo.org", type: "analytics" },
  { name: "chat", title: "Chat", domain: "chat.example", type: "support" },
  { name: "session", title: "Session", required: true },
];

export function toCookies(projectId: string, more: object = {}): object {
  const steps = [{ name: "analytics", layout: "category", vendors }];
  return { projectId, title: "Banner", language: "en", steps, ...more };
}

export function toProcessing(projectId: string, more: object = {}): object {
  return {
    projectId,
    title: "Newsletter",
    language: "en",
    purpose: "Send news",
    personalDataTypes: ["email"],
    processors: [{ name: "Mailer", role: "sends" }],
    consentWithdraw: "Write to us",
    accept: "I want the news",
    storageDuration: 12,
    ...more,
  };
}

export function toContract(projectId: string, more: object = {}): object {
  const file = "https://shop.example/files/terms%20of%20sale.pdf";
  return { projectId, title: "Terms of sale", name: "terms", language: "en", file, ...more };
}

/** Creates a document in the vault and returns its id. */
export async function create(token: string, resource: string, json: object): Promise<string> {
  const { status, body } = await service.fetch(`/v1/vault/${resource}`, { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

export async function newSite(): Promise<Site> {
  const { token, id: userId } = await service.newUser();
  const { id } = await service.newProject(token);
  const [cookies, processing, contract] = await Promise.all([
    create(token, "cookies", toCookies(id)),
    create(token, "processings", toProcessing(id)),
    create(token, "contracts", toContract(id)),
  ]);
  return { token, userId, id, cookies, processing, contract };
}

let published = 0;

/** Publishes a project as another version, changed or not, and waits until it is live. */
export async function publish(site: Site): Promise<void> {
  published += 1;
  const at = `/v1/vault/projects/${site.id}`;
  const json = { title: `Shop ${published}` };
  const { status } = await service.fetch(at, { method: "PATCH", token: site.token, json });
  assert.equal(status, 200);
  await publishAsIs(site);
}

/** Publishes a project and waits until it is live; without changes it is the same version. */
export async function publishAsIs(site: Site): Promise<void> {
  const at = hrefOf("", paths.publishJob, { id: site.id });
  const started = await service.fetch(at, { method: "POST", token: site.token });
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const deadline = Date.now() + 60_000;
  for (let job = started.body; ;) {
    if (job.status === "Done") return;
    assert.notEqual(job.status, "Error", JSON.stringify(job));
    assert.ok(Date.now() < deadline, "the job ends in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
    job = (await service.fetch(started.body.links.self, { token: site.token })).body;
  }
}

/** Collects one consent as a page does. */
export function collect(
  site: Pick<Site, "id">,
  collection: string,
  identifier: string,
  json: object,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const at = hrefOf("", paths.collect, { projectId: site.id, collection, identifier });
  return service.fetch(at, { json, headers });
}

export function collectBatch(site: Pick<Site, "id">, json: unknown): Promise<TestAnswer> {
  return service.fetch(hrefOf("", paths.collectBatch, { projectId: site.id }), { json });
}

/** The state and the history of a token. */
export async function readToken(site: Site, token: string, query = ""): Promise<TestAnswer> {
  const at = hrefOf("", paths.clientConsents, { id: site.id, token });
  return service.fetch(at + query, { token: site.token });
}

/** The status of each item that a token was or may be asked, by identifier. */
export async function readStatuses(site: Site, token: string): Promise<Record<string, string>> {
  const { status, body } = await readToken(site, token);
  assert.equal(status, 200, JSON.stringify(body));
  return Object.fromEntries(
    body.state.map((s: { identifier: string; status: string }) => [s.identifier, s.status]),
  );
}

/** Shares the project with a new user in a role; returns their access token. */
export async function share(site: Site, role: string): Promise<string> {
  const user = await service.newUser();
  const { status, body } = await service.fetch(`/v1/vault/projects/${site.id}/users`, {
    token: site.token,
    json: { userId: user.id, roles: [role] },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return user.token;
}
