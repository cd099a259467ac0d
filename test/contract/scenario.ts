import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  dataProcessor,
  dataProtectionOfficer,
  toBanner,
  toContract,
  toProcessing,
} from "../conformance/documents.ts";
import type { Answer, Driver, Json } from "./driver.ts";

const POLL_MS = 100;
const WAIT_MS = 60_000;
const TOTP_SECONDS = 30;
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><path d="M0 0h8v8"/></svg>';
const visitorToken = "visitor-1";
/** Addresses of one run, so that a second one on the same data finds none of them in use. */
const domain = `${randomBytes(6).toString("hex")}.example.org`;

export interface Surroundings {
  driver: Driver;
  /** The service itself, whose pages are the only ones that may create cookie sessions. */
  serviceUrl: string;
  dataDir: string;
  operatorToken: string;
  /** An address that accepts webhooks. */
  receiverUrl: string;
  /** A website that never answers. */
  silentUrl: string;
  /** A website with the banner of another consent product. */
  oldSiteUrl: string;
  /** Prints a claim link, and returns its token. */
  createClaim: () => Promise<string>;
}

interface Ids {
  owner: string;
  second: string;
  organizationId: string;
  projectId: string;
  cookies: string;
  processings: string;
  contracts: string;
}

/** Sends the operations in an order in which each finds what it needs. */
export async function runScenario(surroundings: Surroundings): Promise<void> {
  await readService(surroundings);
  const users = await openAccounts(surroundings);
  const ids = await createDocuments(surroundings, users);
  await changeDocuments(surroundings, ids);
  await callBilling(surroundings, ids);
  await offerProjects(surroundings, ids);
  await callDomains(surroundings, ids);
  await inviteUsers(surroundings, ids);
  const assetId = await uploadAsset(surroundings);
  await publishProject(surroundings, ids);
  await reviewDraft(surroundings, ids);
  await scanProject(surroundings);
  await readOldSite(surroundings);
  await publishTemplate(surroundings, ids);
  await collectConsents(surroundings, ids);
  await readStates(surroundings, ids);
  await readProofs(surroundings, ids);
  await exchangeConsents(surroundings, ids);
  await callWebhooks(surroundings, ids);
  await eraseToken(surroundings, ids);
  await unpublishProject(surroundings, ids, assetId);
  await changeAccounts(surroundings);
  await operateInstance(surroundings, ids);
  await operateAccounts(surroundings, ids);
}

function idOf({ json }: Pick<Answer, "json">): string {
  return textOf(json["id"] ?? json["_id"]);
}

/** A string of an answer; empty if the answer has none, so that the run continues after a violation. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listOf(json: Json | undefined): readonly Json[] {
  const list: unknown = Array.isArray(json) ? json : json?.["items"];
  return Array.isArray(list) ? (list as Json[]) : [];
}

async function waitFor(read: () => Promise<Answer>, isReady: (answer: Answer) => boolean) {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const answer = await read();
    if (isReady(answer)) return answer;
    assert.ok(performance.now() < deadline, `waited too long: ${answer.text.slice(0, 200)}`);
    await sleep(POLL_MS);
  }
}

async function readService({ driver }: Surroundings): Promise<void> {
  const pages = ["/v1", "/v1/openapi.json", "/health/live", "/health/ready", "/metrics", "/verify"];
  for (const path of [...pages, "/widget.js", "/v1/webhooks/asyncapi.json"])
    await driver.call(`GET ${path}`);
  for (const path of ["/v1/auth/providers", "/v1/auth/local/password-rule", "/v1/billing/plans"])
    await driver.call(`GET ${path}`);
}

interface Users {
  owner: string;
  second: string;
}

const password = "correct horse battery staple";

async function openAccounts({ driver, serviceUrl }: Surroundings): Promise<Users> {
  const signUp = (email: string) => {
    const json = { email, password, displayName: "Ada Lovelace" };
    return driver.call("POST /v1/auth/local/signup", { json });
  };
  const second = await signUp(`second@${domain}`);
  const { id: secondId } = await readUser(driver, textOf(second.json["token"]));
  const owner = await signUp(`ada@${domain}`);
  driver.setToken(textOf(owner.json["token"]));
  const ownerId = idOf(await driver.call("GET /v1/auth/me"));
  await driver.call("PATCH /v1/auth/me", { json: { firstName: "Ada", lastName: "Lovelace" } });
  const credentials = { username: `ada@${domain}`, password };
  await driver.call("POST /v1/auth/local/signin", { json: credentials });
  // The same by a form.
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(credentials).toString();
  await driver.call("POST /v1/auth/local/signin", { body, headers });
  const page = { headers: { origin: serviceUrl, "sec-fetch-site": "same-origin" } };
  const json = { email: `page@${domain}`, password };
  await driver.call("POST /v1/auth/session/signup", { ...page, json, token: null });
  const session = await driver.call("POST /v1/auth/session", {
    ...page,
    json: credentials,
    token: null,
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  const signOut = { headers: { ...page.headers, cookie }, token: null };
  await driver.call("DELETE /v1/auth/session", signOut);
  await driver.call("GET /v1/auth/tokens");
  const key = await driver.call("POST /v1/auth/tokens");
  await driver.call("GET /v1/auth/tokens/{id}", { path: { id: idOf(key) } });
  await driver.call("DELETE /v1/auth/tokens/{id}", { path: { id: idOf(key) } });
  await driver.call("POST /v1/auth/confirm", { json: { password } });
  await driver.call("POST /v1/auth/local/validate");
  for (const operation of ["GET /v1/auth/logout", "POST /v1/auth/logout"]) {
    const signedIn = await driver.call("POST /v1/auth/local/signin", { json: credentials });
    await driver.call(operation, { token: textOf(signedIn.json["token"]) });
  }
  return { owner: ownerId, second: secondId };
}

async function readUser(driver: Driver, token: string): Promise<{ id: string }> {
  return { id: idOf(await driver.call("GET /v1/auth/me", { token })) };
}

async function createDocuments({ driver }: Surroundings, users: Users): Promise<Ids> {
  const create = async (resource: string, json: object) =>
    idOf(await driver.call(`POST /v1/vault/${resource}`, { json }));
  const organizationId = await create("organizations", { name: "My Shop Ltd" });
  const projectId = await create("projects", {
    websiteURL: "https://shop.example",
    title: "My shop",
    organizationId,
    DPO: dataProtectionOfficer,
    dataProcessor,
    locales: ["en"],
  });
  const cookies = await create("cookies", toBanner(projectId));
  const processings = await create("processings", toProcessing(projectId));
  const contracts = await create("contracts", toContract(projectId));
  return { ...users, organizationId, projectId, cookies, processings, contracts };
}

/** Each operation of each resource of the vault, on documents of their own. */
async function changeDocuments({ driver }: Surroundings, ids: Ids): Promise<void> {
  const { projectId } = ids;
  const bodies: Record<string, object> = {
    "vault/organizations": { name: "Another shop" },
    "vault/projects": { websiteURL: "https://other.example", title: "Another shop" },
    "vault/cookies": { ...toBanner(projectId), name: "another-banner" },
    "vault/processings": { ...toProcessing(projectId), title: "Another form" },
    "vault/contracts": { ...toContract(projectId), name: "another-contract" },
    "vault/vendors": { projectId, name: "matomo", title: "Matomo" },
    "vault/media": { projectId, name: "cookie", url: "https://shop.example/cookie.png" },
    "vault/dpo": { projectId, ...dataProtectionOfficer },
    "vault/tcf": { projectId, name: "tcf" },
    "content/contracts": { projectId, config: { title: "Terms" }, content: "<p>Terms</p>" },
  };
  for (const [resource, json] of Object.entries(bodies)) {
    const list = `/v1/${resource}`;
    const one = `${list}/{documentId}`;
    const created = await driver.call(`POST ${list}`, { json });
    const path = { documentId: idOf(created) };
    await driver.call(`GET ${list}`, { query: { perPage: "2", sort: "-createdAt" } });
    const read = await driver.call(`GET ${one}`, { path });
    const etag = read.headers.get("etag") ?? "";
    await driver.call(`GET ${one}`, { path, headers: { "if-none-match": etag } });
    await driver.call(`PATCH ${one}`, { path, json: { note: "changed" } });
    await driver.call(`PUT ${one}`, { path, json });
    await driver.call(`GET ${one}/versions`, { path });
    await driver.call(`GET ${one}/versions/{version}`, { path: { ...path, version: 1 } });
    const between = { ...path, from: 1, to: 2 };
    await driver.call(`GET ${one}/versions/{from}/diff/{to}`, { path: between });
    await driver.call(`POST ${one}/versions/{version}/restore`, { path: { ...path, version: 1 } });
    if (resource === "content/contracts") await driver.call(`GET ${one}/revisions`, { path });
    // Organizations have no copies.
    if (resource !== "vault/organizations") await driver.call(`POST ${one}/duplicate`, { path });
    await driver.call(`POST ${one}/users`, {
      path,
      json: { userId: ids.second, roles: ["viewer"] },
    });
    await driver.call(`GET ${one}/users`, { path });
    const member = { ...path, userId: ids.second };
    await driver.call(`DELETE ${one}/users/{userId}`, { path: member });
    const query = { confirm: path.documentId };
    await driver.call(`DELETE ${one}`, { path, query });
  }
  await driver.call("GET /v1/vault/projects/extended", { query: { projectId } });
  await driver.call("GET /v1/vault/activity", { query: { projectId } });
  for (const accept of ["application/json", "application/x-ndjson", "text/csv"])
    await driver.call("GET /v1/vault/audit", { query: { projectId }, headers: { accept } });
  await driver.call("GET /v1/vault/additions", {});
  await driver.call("GET /v1/vault/groups", {});
  await driver.call("GET /v1/notifications", {});
  await driver.call("GET /v1/notifications/count", {});
  await driver.call("POST /v1/notifications/reads", { json: {} });
  const { json: settings } = await driver.call("GET /v1/notifications/settings", {});
  const { kinds: _kinds, ...choices } = settings;
  await driver.call("PUT /v1/notifications/settings", { json: { ...choices, mails: {} } });
}

async function offerProjects({ driver }: Surroundings, { organizationId }: Ids): Promise<void> {
  const site = { websiteURL: "https://offered.example", title: "Offered" };
  const { json: project } = await driver.call("POST /v1/vault/projects", { json: site });
  const path = { documentId: idOf({ json: project }) };
  const offer = async () => {
    const json = { email: `second@${domain}` };
    const { json: sent } = await driver.call("POST /v1/vault/projects/{documentId}/transfer", {
      path,
      json,
    });
    return { token: textOf(sent["transferToken"]?.["value"]) };
  };
  await offer();
  await driver.call("GET /v1/vault/projects/{documentId}/transfer", { path });
  await driver.call("DELETE /v1/vault/projects/{documentId}/transfer", { path });
  await driver.call("GET /v1/vault/transfers", {});
  const declined = await offer();
  await driver.call("GET /v1/vault/transfers/{token}", { path: declined, token: null });
  await driver.call("DELETE /v1/vault/transfers/{token}", { path: declined });
  const json = { organizationId };
  await driver.call("POST /v1/vault/transfers/{token}", { path: await offer(), json });
}

async function callDomains({ driver }: Surroundings, { organizationId }: Ids): Promise<void> {
  const path = { documentId: organizationId };
  const route = "/v1/vault/organizations/{documentId}/domain";
  await driver.call(`PUT ${route}`, { path, json: { host: "consent.invalid" } });
  await driver.call(`GET ${route}`, { path });
  await driver.call("GET /v1/domains", { query: { domain: "consent.invalid" }, token: null });
  await driver.call(`DELETE ${route}`, { path });
  const json = { nonce: "0123456789abcdef" };
  await driver.call("POST /v1/domains/challenge", { json, token: null });
}

async function callBilling({ driver, operatorToken }: Surroundings, ids: Ids): Promise<void> {
  const path = { organizationId: ids.organizationId };
  const organization = "/v1/billing/organizations/{organizationId}";
  await driver.call(`PUT ${organization}`, { path, token: operatorToken });
  await driver.call(`GET ${organization}`, { path });
  await driver.call(`GET ${organization}/invoices`, { path });
}

async function inviteUsers({ driver }: Surroundings, { projectId }: Ids): Promise<void> {
  const data = { collection: "projects", id: projectId };
  const invite = async (email: string) => {
    const { json } = await driver.call("POST /v1/auth/invitations", { json: { email, data } });
    return { token: textOf(json["invitationToken"]?.["value"]) };
  };
  await driver.call("GET /v1/auth/invitations", { query: data });
  const first = await invite(`second@${domain}`);
  await driver.call("GET /v1/auth/invitations/{token}", { path: first, token: null });
  const credentials = { username: `second@${domain}`, password };
  const { json } = await driver.call("POST /v1/auth/local/signin", { json: credentials });
  const token = textOf(json["token"]);
  await driver.call("POST /v1/auth/invitations/{token}", { path: first, token });
  const second = await invite(`third@${domain}`);
  await driver.call("DELETE /v1/auth/invitations/{token}", { path: second });
}

async function uploadAsset({ driver }: Surroundings): Promise<string> {
  const body = new FormData();
  // A text format: see `notSent` in exceptions.ts.
  body.append("file", new Blob([svg], { type: "image/svg+xml" }), "square.svg");
  const answer = await driver.call("POST /v1/assets", { body });
  const id = idOf({ json: listOf(answer.json)[0] ?? {} });
  await driver.call("GET /v1/assets");
  await driver.call("GET /v1/assets/{id}", { path: { id } });
  await driver.call("GET /v1/assets/{id}", { path: { id }, query: { w: "32", fm: "webp" } });
  await driver.call("GET /v1/assets/{id}/metadata", { path: { id } });
  await driver.call("GET /v1/assets/{id}/uses", { path: { id } });
  return id;
}

async function publishProject({ driver }: Surroundings, ids: Ids): Promise<void> {
  const { projectId } = ids;
  const path = { projectId };
  const publish = async (json?: object) => {
    const job = await driver.call("POST /v1/publish/jobs/{id}", { path: { id: projectId }, json });
    const one = { path: { id: idOf(job) } };
    const read = () => driver.call("GET /v1/publish/jobs/{id}", one);
    return waitFor(read, ({ json: now }) => /Done|Error/.test(textOf(now["status"])));
  };
  await driver.call("GET /v1/publish/projects/{projectId}/check", { path });
  await driver.call("POST /v1/publish/projects/{projectId}/preview", { path });
  await publish();
  const title = { documentId: ids.processings };
  await driver.call("PATCH /v1/vault/processings/{documentId}", {
    path: title,
    json: { title: "Monthly newsletter" },
  });
  await publish({});
  await driver.call("GET /v1/publish/jobs", { query: path });
  await driver.call("GET /v1/publish/projects/{projectId}/versions", { path });
  const between = { ...path, from: 1, to: 2 };
  await driver.call("GET /v1/publish/projects/{projectId}/versions/{from}/diff/{to}", {
    path: between,
  });
  await driver.call("POST /v1/publish/projects/{projectId}:unpublish", { path });
  const rollback = "POST /v1/publish/projects/{projectId}/versions/{version}/rollback";
  const rolledBack = await driver.call(rollback, { path: { ...path, version: 1 } });
  const read = () => driver.call("GET /v1/publish/jobs/{id}", { path: { id: idOf(rolledBack) } });
  await waitFor(read, ({ json }) => /Done|Error/.test(textOf(json["status"])));
  const publishAt = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = await driver.call("POST /v1/publish/jobs/{id}", {
    path: { id: projectId },
    json: { publishAt },
  });
  await driver.call("DELETE /v1/publish/jobs/{id}", { path: { id: idOf(scheduled) } });
  await driver.call("GET /cdn/{projectId}.json", { path, token: null });
  await driver.call("POST /v1/publish/projects/{projectId}/snippet-mails", {
    path,
    json: { email: "developer@example.org" },
  });
}

/** Comments on a draft, approves it, and creates a review link. */
async function reviewDraft({ driver }: Surroundings, { projectId, cookies }: Ids): Promise<void> {
  const path = { projectId };
  const at = (route: string) => `/v1/reviews/{projectId}${route}` as const;
  const about = { configurationId: cookies, pointer: "/steps/0/title", excerpt: "Cookies" };
  const json = { text: "Say why.", about };
  const thread = await driver.call(`POST ${at("/comments")}`, { path, json });
  const one = { path: { projectId, commentId: idOf(thread) } };
  const reply = `POST ${at("/comments/{commentId}/replies")}`;
  await driver.call(reply, { ...one, json: { text: "Done." } });
  await driver.call(`PATCH ${at("/comments/{commentId}")}`, { ...one, json: { resolved: true } });
  await driver.call(`GET ${at("/comments")}`, { path, query: { status: "resolved" } });
  await driver.call(`DELETE ${at("/comments/{commentId}")}`, one);
  const settings = { required: 0, approvers: "editors", links: true };
  await driver.call(`PUT ${at("/settings")}`, { path, json: settings });
  await driver.call(`POST ${at("/requests")}`, { path, json: { message: "Please" } });
  const { json: review } = await driver.call(`GET ${at("")}`, { path });
  const decision = await driver.call(`POST ${at("/decisions")}`, {
    path,
    json: { digest: textOf(review["digest"]), decision: "approved" },
  });
  await driver.call(`GET ${at("/decisions")}`, { path });
  await driver.call(`DELETE ${at("/decisions/{decisionId}")}`, {
    path: { projectId, decisionId: idOf(decision) },
  });
  const link = await driver.call(`POST ${at("/links")}`, {
    path,
    json: { recipient: "Dr. Weber", mayApprove: true },
  });
  await driver.call(`GET ${at("/links")}`, { path });
  await driver.call(`DELETE ${at("/links/{linkId}")}`, {
    path: { projectId, linkId: idOf(link) },
  });
}

/** Starts a scan and cancels it, which needs Chromium on this machine. It waits for a silent website until then. */
async function scanProject({ driver, silentUrl }: Surroundings): Promise<void> {
  const json = { websiteURL: silentUrl, title: "A silent site" };
  const projectId = idOf(await driver.call("POST /v1/vault/projects", { json }));
  const path = { projectId };
  const started = await driver.call("POST /v1/publish/projects/{projectId}/scans", { path });
  const one = { path: { projectId, scanId: idOf(started) } };
  await driver.call("DELETE /v1/publish/projects/{projectId}/scans/{scanId}", one);
  await driver.call("GET /v1/publish/projects/{projectId}/scans/{scanId}", one);
  await driver.call("GET /v1/publish/projects/{projectId}/scans", { path });
}

/** Reads the public configuration of another consent product. */
async function readOldSite({ driver, oldSiteUrl }: Surroundings): Promise<void> {
  await driver.call("POST /v1/move-in/files", { json: { url: oldSiteUrl } });
}

/** Publishes the sites of a template, and cancels that. */
async function publishTemplate({ driver }: Surroundings, { organizationId }: Ids): Promise<void> {
  const site = { websiteURL: "https://site.example", title: "A site", organizationId };
  const create = async (resource: "projects" | "dpo", json: object) =>
    idOf(await driver.call(`POST /v1/vault/${resource}`, { json }));
  const templateId = await create("projects", { ...site, isTemplate: true });
  await create("dpo", { projectId: templateId, fullname: "Jo" });
  // Several, so that the publication does not end before it is cancelled.
  for (let n = 0; n < 5; n += 1) await create("projects", { ...site, templateId });
  const projectId = await create("projects", { ...site, templateId });
  const inheritance = await driver.call("GET /v1/vault/projects/{projectId}/inheritance", {
    path: { projectId },
  });
  const documents = inheritance.json["documents"] as unknown as {
    id: string;
    resource: string;
  }[];
  const documentId = documents.find(({ resource }) => resource === "dpo")?.id ?? "";
  await driver.call("POST /v1/vault/projects/{projectId}/inheritance/{documentId}/reset", {
    path: { projectId, documentId },
    json: {},
  });
  const path = { templateId };
  await driver.call("GET /v1/publish/templates/{templateId}/sites", { path });
  await driver.call("GET /v1/publish/templates/{templateId}/report", { path });
  const started = await driver.call("POST /v1/publish/templates/{templateId}/publications", {
    path,
    json: {},
  });
  const one = { path: { templateId, publicationId: idOf(started) } };
  await driver.call("DELETE /v1/publish/templates/{templateId}/publications/{publicationId}", one);
  await driver.call("GET /v1/publish/templates/{templateId}/publications", { path });
  await driver.call("GET /v1/publish/templates/{templateId}/publications/{publicationId}", one);
  await driver.call(
    "GET /v1/publish/templates/{templateId}/publications/{publicationId}/sites",
    one,
  );
}

async function collectConsents({ driver }: Surroundings, ids: Ids): Promise<void> {
  const { projectId } = ids;
  const path = { projectId };
  const json = { accept: true, token: visitorToken, language: "en", url: "https://shop.example/" };
  const public_ = { token: null };
  await driver.call("POST /v1/app/tickets/{projectId}", {
    path,
    ...public_,
    headers: { origin: "https://shop.example" },
  });
  const collect = "POST /v1/app/consents/{projectId}/{collection}/{identifier}";
  for (const collection of ["cookies", "processings", "contracts"] as const)
    await driver.call(collect, {
      path: { projectId, collection, identifier: ids[collection] },
      json,
      ...public_,
    });
  const batch = { ...json, id: "1", collection: "processings", identifier: ids.processings };
  await driver.call("POST /v1/app/consents/{projectId}", { path, json: [batch], ...public_ });
  const query = { token: visitorToken, service: "processings", identifier: ids.processings };
  await driver.call("GET /v1/app/consent/{projectId}", { path, query, ...public_ });
  await driver.call("GET /v1/app/consent/{projectId}", {
    path,
    query: { ...query, token: "visitor-unknown" },
    ...public_,
  });
  for (const accept of ["application/json", "application/x-ndjson", "text/csv"])
    await driver.call("GET /v1/app/consents/{projectId}", { path, headers: { accept } });
  await driver.call("GET /v1/app/consents/{projectId}", { path, query: { token: visitorToken } });
  await driver.call("GET /v1/app/stats/{projectId}", { path });
  await driver.call("GET /v1/app/stats");
  const published = { ...path, version: "1" };
  await driver.call("GET /v1/app/stats/{projectId}/versions/{version}", { path: published });
}

async function readStates({ driver }: Surroundings, ids: Ids): Promise<void> {
  const path = { id: ids.projectId };
  await driver.call("GET /v1/client/region");
  await driver.call("GET /v1/client/");
  const created = await driver.call("POST /v1/client/");
  const own = { id: idOf(created) };
  await driver.call("GET /v1/client/{id}", { path });
  await driver.call("PATCH /v1/client/{id}", { path: own });
  await driver.call("PUT /v1/client/{id}", { path: own });
  const json = { collection: "cookies", title: "Cookies", steps: [] };
  await driver.call("POST /v1/client/{id}/forms", { path: own, json });
  for (const accept of ["application/json", "application/x-ndjson", "text/csv"]) {
    const headers = { accept };
    await driver.call("GET /v1/client/{id}/tokens", { path, headers });
    const token = { ...path, token: visitorToken };
    await driver.call("GET /v1/client/{id}/consents/{token}", { path: token, headers });
    const identifier = { ...path, identifier: ids.processings };
    const accepted = "GET /v1/client/{id}/tokens/accepted/{identifier}";
    await driver.call(accepted, { path: identifier, headers });
    const status = { ...identifier, status: "refused" };
    await driver.call("GET /v1/client/{id}/tokens/{status}/{identifier}", {
      path: status,
      headers,
    });
  }
  await driver.call("GET /v1/client/{id}/tokens/accepted", { path });
  const asked = { path, json: { token: visitorToken }, token: null };
  await driver.call("POST /v1/client/{id}/answers", asked);
  const link = await driver.call("POST /v1/client/{id}/links", asked);
  await driver.call("GET /v1/client/{id}/links", { path, query: { token: visitorToken } });
  // The person's page is not part of the document.
  const form = new URLSearchParams({ do: "request-erasure" });
  await fetch(textOf(link.json["url"]), { method: "POST", body: form, redirect: "manual" });
  const { json: requests } = await driver.call("GET /v1/client/{id}/erasure-requests", { path });
  await driver.call("DELETE /v1/client/{id}/erasure-requests/{requestId}", {
    path: { ...path, requestId: textOf(listOf(requests)[0]?.["id"]) },
  });
  const rule = { path, json: { needsSecondPerson: false } };
  await driver.call("PUT /v1/client/{id}/erasure-rule", rule);
  await driver.call("GET /v1/client/{id}/erasure-rule", { path });
  await driver.call("GET /v1/client/{id}/erasure-proposals", { path });
  await driver.call("DELETE /v1/client/{id}/links/{linkId}", {
    path: { ...path, linkId: idOf(link) },
  });
}

async function readProofs({ driver }: Surroundings, ids: Ids): Promise<void> {
  const { projectId } = ids;
  const path = { projectId };
  const list = await driver.call("GET /v1/app/consents/{projectId}", { path });
  const consentId = textOf(listOf(list.json)[0]?.["consentId"]);
  // Proofs exist once the log has the consent.
  await waitFor(
    () => driver.call("GET /log/checkpoint", { token: null }),
    ({ text }) => Number(text.split("\n")[1]) > listOf(list.json).length,
  );
  // Not as application/ld+json: see `notSent` in exceptions.ts.
  for (const accept of ["application/json", "application/pdf"])
    await driver.call("GET /v1/app/proofs/{consentId}", {
      path: { consentId },
      headers: { accept },
    });
  await driver.call("GET /v1/app/proofs", { query: { projectId, token: visitorToken } });
  await driver.call("GET /v1/app/proofs/{projectId}/consistency", { path });
  await driver.call("GET /v1/app/dossiers/{projectId}", { path, query: { token: visitorToken } });
  for (const name of ["checkpoint", "keys", "widgets", "timestamps"])
    await driver.call(`GET /log/${name}`, { token: null });
}

async function exchangeConsents({ driver }: Surroundings, ids: Ids): Promise<void> {
  const { projectId } = ids;
  for (const format of ["csv", "ndjson", "parquet"]) {
    const exported = await driver.call("GET /v1/app/exports/{projectId}.{format}", {
      path: { projectId, format },
    });
    const exportId = exported.headers.get("x-export-id");
    if (exportId === null) continue;
    const manifest = "GET /v1/app/exports/{projectId}/manifests/{exportId}";
    await driver.call(manifest, { path: { projectId, exportId } });
  }
  const imports = "/v1/app/imports/{projectId}";
  const row = (collection: string) =>
    `visitor-2;${collection};${ids.processings};1;2026-01-02T03:04:05.000Z\n`;
  const body = `token;collection;identifier;accept;date\n${row("processings")}${row("none")}`;
  const headers = { "content-type": "text/csv" };
  const first = await driver.call(`POST ${imports}`, { path: { projectId }, body, headers });
  const path = { projectId, id: idOf(first) };
  const read = () => driver.call(`GET ${imports}/{id}`, { path });
  await waitFor(read, ({ json }) => /done|error|fail/i.test(textOf(json["status"])));
  await driver.call(`GET ${imports}`, { path: { projectId } });
  await driver.call(`GET ${imports}/{id}/refused`, { path });
  await driver.call(`DELETE ${imports}/{id}`, { path });
}

async function callWebhooks({ driver, receiverUrl }: Surroundings, ids: Ids): Promise<void> {
  const json = { url: receiverUrl, events: ["consent.created"], projectId: ids.projectId };
  const created = await driver.call("POST /v1/webhooks", { json });
  const path = { id: idOf(created) };
  const one = "/v1/webhooks/{id}";
  await driver.call("GET /v1/webhooks");
  const read = await driver.call(`GET ${one}`, { path });
  const headers = { "if-none-match": read.headers.get("etag") ?? "" };
  await driver.call(`GET ${one}`, { path, headers });
  await driver.call(`PATCH ${one}`, { path, json: { enabled: true } });
  await driver.call(`POST ${one}/secret`, { path });
  await driver.call(`POST ${one}/key`, { path });
  const tested = await driver.call(`POST ${one}/test`, { path });
  const delivery = { ...path, deliveryId: idOf(tested) };
  await waitFor(
    () => driver.call(`GET ${one}/deliveries/{deliveryId}`, { path: delivery }),
    ({ text }) => /"status":"(?:delivered|done|succeeded|success)/i.test(text),
  );
  await driver.call(`GET ${one}/deliveries`, { path });
  await driver.call(`POST ${one}/deliveries/{deliveryId}/retry`, { path: delivery });
  await driver.call("GET /v1/webhooks/events");
  const since = new Date(Date.now() - 60_000).toISOString();
  await driver.call(`POST ${one}/replay`, { path, json: { since } });
  await driver.call(`DELETE ${one}`, { path });
}

async function eraseToken({ driver }: Surroundings, { projectId }: Ids): Promise<void> {
  const path = { projectId, token: visitorToken };
  const erasure = await driver.call("DELETE /v1/app/tokens/{projectId}/{token}", { path });
  const one = { path: { projectId, id: idOf(erasure) } };
  // The receipt exists once the log has the erasure.
  await waitFor(
    () => driver.call("GET /v1/app/erasures/{projectId}/{id}", one),
    ({ status }) => status === 200,
  );
  await driver.call("GET /v1/app/erasures/{projectId}", { path: { projectId } });
}

async function unpublishProject(
  { driver }: Surroundings,
  ids: Ids,
  assetId: string,
): Promise<void> {
  const { projectId } = ids;
  await driver.call("DELETE /v1/assets/{id}", { path: { id: assetId } });
  await driver.call("DELETE /v1/publish/projects/{projectId}", { path: { projectId } });
}

/** Operations that end sessions, on accounts of their own. */
async function changeAccounts({ driver, dataDir, serviceUrl }: Surroundings): Promise<void> {
  const email = `changing@${domain}`;
  const signUp = { json: { email, password, displayName: "Changing" }, token: null };
  const { json } = await driver.call("POST /v1/auth/local/signup", signUp);
  const token = textOf(json["token"]);
  const validation = await readMailToken(dataDir, email, "confirm");
  await driver.call("GET /v1/auth/local/validate", { query: { token: validation }, token: null });
  const changed = `${password} 2`;
  await driver.call("PUT /v1/auth/local/update-password", {
    json: { current: password, new: changed, confirm: changed },
    token,
  });
  await driver.call("POST /v1/auth/local/reset-password-token", { json: { email }, token: null });
  const reset = await readMailToken(dataDir, email, "reset");
  const resetBody = { token: reset, password };
  await driver.call("POST /v1/auth/local/reset-password", {
    json: resetBody,
    token: null,
  });
  await driver.call("POST /v1/auth/local/reset-password-token", { json: { email }, token: null });
  const second = await readMailToken(dataDir, email, "reset", reset);
  await driver.call("POST /v1/auth/session/reset", {
    json: { token: second, password },
    headers: { origin: serviceUrl, "sec-fetch-site": "same-origin" },
    token: null,
  });
  const credentials = { username: email, password };
  const session = await driver.call("POST /v1/auth/local/signin", { json: credentials });
  const current = textOf(session.json["token"]);
  const factor = await driver.call("POST /v1/auth/factor", { token: current });
  const secret = textOf(factor.json["secret"]);
  await driver.call("POST /v1/auth/factor/confirm", {
    json: { code: toTotp(secret) },
    token: current,
  });
  await driver.call("POST /v1/auth/factor/recovery-codes", { token: current });
  await driver.call("DELETE /v1/auth/factor", { token: current });
  await driver.call("DELETE /v1/auth/tokens", {
    query: { kind: "session", except: "current" },
    token: current,
  });
  await driver.call("POST /v1/auth/me/deletion", {
    json: { confirm: email, password },
    token: current,
  });
}

async function operateInstance(
  { driver, operatorToken, createClaim }: Surroundings,
  ids: Ids,
): Promise<void> {
  const token = operatorToken;
  await driver.call("POST /v1/auth/operators", { json: { userId: ids.second }, token });
  await driver.call("POST /v1/auth/claim", { json: { token: await createClaim() } });
  const path = { userId: ids.second };
  await driver.call("GET /v1/auth/operators", { token });
  await driver.call("GET /v1/auth/operators/{userId}", { path, token });
  await driver.call("DELETE /v1/auth/operators/{userId}", { path, token });
  await driver.call("PUT /v1/auth/signups", { json: { mode: "open" }, token });
  await driver.call("GET /v1/auth/signups");
  await driver.call("GET /v1/instance/status", { token });
}

async function operateAccounts({ driver, operatorToken }: Surroundings, ids: Ids): Promise<void> {
  const operator = { path: { userId: ids.second }, token: operatorToken };
  const email = `second@${domain}`;
  const { json } = await driver.call("POST /v1/auth/local/signin", {
    json: { username: email, password },
    token: null,
  });
  const token = textOf(json["token"]);
  const factor = await driver.call("POST /v1/auth/factor", { token });
  const code = toTotp(textOf(factor.json["secret"]));
  await driver.call("POST /v1/auth/factor/confirm", { json: { code }, token });
  await driver.call("DELETE /v1/auth/users/{userId}/factor", operator);
  await driver.call("DELETE /v1/auth/users/{userId}/tokens", operator);
  await driver.call("PUT /v1/auth/users/{userId}/disabled", operator);
  await driver.call("DELETE /v1/auth/users/{userId}/disabled", operator);
}

/** The token of the newest mail of a kind; mails are files of the data folder without a mail server. */
async function readMailToken(
  dataDir: string,
  email: string,
  kind: "confirm" | "reset",
  not = "",
): Promise<string> {
  const folder = join(dataDir, "mails");
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    for (const name of names.toSorted((a, b) => (a < b ? 1 : -1))) {
      const mail = (await readFile(join(folder, name), "utf8"))
        .replaceAll(/=\r?\n/g, "")
        .replaceAll("=3D", "=");
      const token = new RegExp(`/account/${kind}\\S*[?#&]token=([\\w-]+)`).exec(mail)?.[1];
      if (mail.includes(email) && token !== undefined && token !== not) return token;
    }
    if (performance.now() > deadline) return "";
    await sleep(POLL_MS);
  }
}

/** The current code of an authenticator app (RFC 6238). */
function toTotp(secret: string): string {
  const characters = secret.toUpperCase().match(/[A-Z2-7]/g) ?? [];
  const bits = characters
    .map((character) => base32.indexOf(character).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / TOTP_SECONDS)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const code = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, "0");
}
