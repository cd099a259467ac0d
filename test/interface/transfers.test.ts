import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { newPicture, uploadOne } from "./pictures.ts";
import { linkOf, tokenOf, waitForMail } from "./mails.ts";
import { change, newTemplate, newTemplateSite, only } from "./template-sites.ts";

const { fetch, newUser, newProject } = service;
const DAY_MS = 86_400_000;

async function newOrganization(name: string) {
  const owner = await newUser();
  const { body } = await fetch("/v1/vault/organizations", { token: owner.token, json: { name } });
  return { ...owner, organizationId: body.id as string };
}

/** An agency with a project, its member, and a client with an organization. */
async function newParties() {
  const agency = await newOrganization("Agency");
  const client = await newOrganization("Client");
  const fields = { title: "Shop", organizationId: agency.organizationId, groups: ["VIP"] };
  const project = await newProject(agency.token, fields);
  return { agency, client, project, at: `/v1/vault/projects/${project.id}` };
}

const offer = (at: string, token: string | undefined, json: object, headers = {}) =>
  fetch(`${at}/transfer`, {
    method: "POST",
    json,
    headers,
    ...(token === undefined ? {} : { token }),
  });

async function newOffer(at: string, token: string, email: string): Promise<string> {
  const { status, body } = await offer(at, token, { email });
  assert.equal(status, 201, JSON.stringify(body));
  return `/v1/vault/transfers/${body.transferToken.value}`;
}

const statusOf = async (path: string, token: string, method = "GET", json?: object) =>
  (await fetch(path, { method, token, ...(json ? { json } : {}) })).status;

async function listEvents(token: string, query: string): Promise<string[]> {
  const { body } = await fetch(`/v1/vault/audit?${query}`, { token });
  return body.items.map(({ event }: { event: string }) => event);
}

describe("the transfer of a project to another organization", () => {
  it("moves the project with its configurations and consents, and ends the access of its members", async () => {
    const { agency, client, project, at } = await newParties();
    const { token } = agency;
    const banner = { projectId: project.id, name: "main", isDefault: true };
    const { body: cookies } = await fetch("/v1/vault/cookies", { token, json: banner });
    const member = await newUser();
    await fetch(`${at}/users`, { token, json: { userId: member.id, roles: ["editor"] } });
    const colleague = await newUser();
    const team = `/v1/vault/organizations/${agency.organizationId}/users`;
    await fetch(team, { token, json: { userId: colleague.id, roles: ["viewer"] } });
    const link = await newOffer(at, token, client.email);
    const { body: shown } = await fetch(link);
    assert.deepEqual(shown.project, { title: "Shop", websiteURL: "https://shop.example" });
    assert.deepEqual(shown.contents, { configurations: 1, sharedVendors: 0, files: 0, members: 3 });
    assert.equal(JSON.stringify(shown).includes(client.email), false);
    const json = { organizationId: client.organizationId };
    const accepted = await fetch(link, { method: "POST", token: client.token, json });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.equal(accepted.body.projectId, project.id);
    for (const former of [token, member.token]) {
      assert.equal(await statusOf(at, former), 404);
      assert.equal(await statusOf(`/v1/vault/cookies/${cookies.id}`, former), 404);
      assert.equal(await statusOf(`/v1/app/consents/${project.id}`, former), 404);
    }
    const { body: moved } = await fetch(at, { token: client.token });
    assert.deepEqual([moved.organizationId, moved.groups], [client.organizationId, undefined]);
    const found = await fetch(`/v1/vault/cookies/${cookies.id}`, { token: client.token });
    assert.equal(found.body.name, "main");
    assert.equal(await statusOf(`/v1/app/consents/${project.id}`, client.token), 200);
    const left = await listEvents(
      token,
      `organizationId=${agency.organizationId}&event=project.moved`,
    );
    const come = await listEvents(
      client.token,
      `organizationId=${client.organizationId}&event=project.moved`,
    );
    assert.deepEqual([left.length, come.length], [1, 1]);
    assert.equal((await fetch(link)).status, 404);
    assert.equal(await statusOf(link, client.token, "POST", json), 404);
  });

  it("copies vendors of the old organization and files, and has the configurations name the copies", async () => {
    const { agency, client, project, at } = await newParties();
    const { token } = agency;
    const { organizationId } = agency;
    const { body: vendor } = await fetch("/v1/vault/vendors", {
      token,
      json: { organizationId, name: "maps", title: "Maps" },
    });
    const bytes = await newPicture().png().toBuffer();
    const { id: image } = await uploadOne(token, { bytes });
    const steps = [{ name: "all", layout: "category", image, vendors: [vendor.id] }];
    const json = { projectId: project.id, name: "main", steps };
    const { body: banner } = await fetch("/v1/vault/cookies", { token, json });
    const link = await newOffer(at, token, client.email);
    const { contents } = (await fetch(link)).body;
    assert.deepEqual([contents.sharedVendors, contents.files], [1, 1]);
    const into = { organizationId: client.organizationId };
    assert.equal(await statusOf(link, client.token, "POST", into), 200);
    const { body } = await fetch(`/v1/vault/cookies/${banner.id}`, { token: client.token });
    const [step] = body.steps;
    assert.notEqual(step.image, image);
    assert.notEqual(step.vendors[0], vendor.id);
    const copy = await fetch(`/v1/vault/vendors/${step.vendors[0]}`, { token: client.token });
    assert.deepEqual([copy.body.name, copy.body.projectId], ["maps", project.id]);
    // The former owner deletes both.
    assert.equal(await statusOf(`/v1/vault/vendors/${vendor.id}`, token, "DELETE"), 204);
    assert.equal(await statusOf(`/v1/assets/${image}`, token, "DELETE"), 204);
    assert.equal((await fetch(`/v1/assets/${step.image}/metadata`)).status, 200);
    const own = await fetch("/v1/assets", { token: client.token });
    assert.deepEqual(
      own.body.map(({ id }: { id: string }) => id),
      [step.image],
    );
  });

  it("has the project's own vendors and media name the copies of their files", async () => {
    const { agency, client, project, at } = await newParties();
    const { token } = agency;
    const { id: image } = await uploadOne(token, { bytes: await newPicture().png().toBuffer() });
    const insert = async (resource: string, fields: object) => {
      const json = { projectId: project.id, ...fields };
      const { status, body } = await fetch(`/v1/vault/${resource}`, { token, json });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    };
    const vendor = await insert("vendors", { name: "maps", title: "Maps", image });
    const unused = await insert("vendors", { name: "chat", title: "Chat", image });
    const logo = await insert("media", { title: "Logo", file: image });
    const steps = [{ name: "all", layout: "category", vendors: [vendor.id] }];
    const banner = await insert("cookies", { name: "main", steps });
    const link = await newOffer(at, token, client.email);
    const { contents } = (await fetch(link)).body;
    assert.deepEqual(contents, { configurations: 1, sharedVendors: 0, files: 1, members: 1 });
    const into = { organizationId: client.organizationId };
    assert.equal(await statusOf(link, client.token, "POST", into), 200);
    assert.equal(await statusOf(`/v1/assets/${image}`, token, "DELETE"), 204);
    const { body: assets } = await fetch("/v1/assets", { token: client.token });
    const [copy] = assets;
    assert.notEqual(copy.id, image);
    const get = async (path: string) =>
      (await fetch(`/v1/vault/${path}`, { token: client.token })).body;
    assert.equal((await get(`vendors/${vendor.id}`)).image, copy.id);
    assert.equal((await get(`vendors/${unused.id}`)).image, copy.id);
    assert.equal((await get(`media/${logo.id}`)).file, copy.id);
    assert.equal((await get(`cookies/${banner.id}`)).version, 1, "is not written without a change");
    const query = `documentId=${vendor.id}&event=configuration.updated`;
    assert.equal((await listEvents(client.token, `projectId=${project.id}&${query}`)).length, 1);
  });

  it("mails a link in the language of the request, whose token is stored as a hash", async () => {
    const { agency, client, at } = await newParties();
    const { token } = agency;
    await offer(at, token, { email: client.email }, { "accept-language": "fr" });
    const mail = await waitForMail(client.email, /Un projet vous est proposé/);
    assert.equal(linkOf(mail).pathname, "/admin/transfer");
    const link = `/v1/vault/transfers/${tokenOf(mail)}`;
    assert.equal((await fetch(link)).status, 200);
    await offer(at, token, { email: client.email });
    const english = await waitForMail(client.email, /A project is offered to you/);
    assert.match(english.text ?? "", /“Shop”/);
    assert.equal((await fetch(link)).status, 404, "a new offer replaces the earlier one");
    const rows = await service.db.selectFrom("project_transfers").selectAll().execute();
    assert.equal(JSON.stringify(rows).includes(tokenOf(english)), false);
  });

  it("is offered to an organization, whose owners find, accept or decline it", async () => {
    const { agency, client, at } = await newParties();
    const { token } = agency;
    const to = { organizationId: client.organizationId };
    assert.equal((await offer(at, token, to)).body.transferToken, undefined);
    const list = async (by: string) => (await fetch("/v1/vault/transfers", { token: by })).body;
    assert.deepEqual(await list(token), []);
    const [declined] = await list(client.token);
    assert.deepEqual(declined.organization, { id: client.organizationId, name: "Client" });
    const stranger = await newOrganization("Stranger");
    const path = `/v1/vault/transfers/${declined.id}`;
    const into = { organizationId: stranger.organizationId };
    assert.equal(await statusOf(path, stranger.token, "POST", into), 404);
    assert.equal(await statusOf(path, stranger.token, "DELETE"), 404);
    assert.equal(await statusOf(path, client.token, "DELETE"), 204);
    assert.equal(await statusOf(`${at}/transfer`, token), 404);
    await offer(at, token, to);
    const [offered] = await list(client.token);
    const other = `/v1/vault/transfers/${offered.id}`;
    assert.equal(await statusOf(other, client.token, "POST", into), 422);
    assert.equal(await statusOf(other, client.token, "POST", to), 200);
    const events = await listEvents(client.token, `projectId=${at.split("/").at(-1)}`);
    for (const event of ["transfer.offered", "transfer.declined", "transfer.accepted"])
      assert.ok(events.includes(event), event);
  });

  it("ends when it is revoked, after seven days, and when the offerer loses the project", async () => {
    const { agency, client, at } = await newParties();
    const { token } = agency;
    const into = { organizationId: client.organizationId };
    const revoked = await newOffer(at, token, client.email);
    const { body } = await fetch(`${at}/transfer`, { token });
    assert.equal(body.email, client.email);
    assert.equal(await statusOf(`${at}/transfer`, token, "DELETE"), 204);
    assert.equal(await statusOf(revoked, client.token, "POST", into), 404);
    const expired = await newOffer(at, token, client.email);
    service.clock.advance(7 * DAY_MS);
    assert.equal((await fetch(expired)).status, 404);
    assert.equal(await statusOf(expired, client.token, "POST", into), 404);
    const { token: second, id } = await newUser();
    const organization = `/v1/vault/organizations/${agency.organizationId}/users`;
    await fetch(organization, { token, json: { userId: id, roles: ["owner"] } });
    const lost = await newOffer(at, second, client.email);
    assert.equal(await statusOf(`${organization}/${id}`, token, "DELETE"), 200);
    assert.equal((await fetch(lost)).status, 404);
    assert.equal(await statusOf(lost, client.token, "POST", into), 404);
  });

  it("is listed unless its sender has lost the right to make it, and errors of the service are not hidden", async () => {
    const { agency, client, project, at } = await newParties();
    const { token } = agency;
    await newOffer(at, token, client.email);
    const second = await newUser();
    const users = `/v1/vault/organizations/${agency.organizationId}/users`;
    await fetch(users, { token, json: { userId: second.id, roles: ["owner"] } });
    const { organizationId } = agency;
    const other = await service.newProject(second.token, { organizationId });
    await newOffer(`/v1/vault/projects/${other.id}`, second.token, client.email);
    await service.db
      .updateTable("users")
      .set({ email_verified_at: service.clock.now() })
      .where("id", "=", client.id)
      .execute();
    const list = (query = "") => fetch(`/v1/vault/transfers${query}`, { token: client.token });
    assert.equal((await list()).body.length, 2);
    assert.equal((await list("?perPage=1")).body.length, 1);
    assert.equal((await list("?perPage=26")).status, 400);
    await fetch(`${users}/${second.id}`, { method: "DELETE", token });
    const { body } = await list();
    assert.deepEqual([body.length, body[0].project.title], [1, "Shop"]);
    const json = { projectId: project.id, name: "main" };
    const { body: banner } = await fetch("/v1/vault/cookies", { token, json });
    await service.db
      .updateTable("documents")
      .set({ body: JSON.stringify({ ...json, steps: 5 }) })
      .where("id", "=", banner.id)
      .execute();
    assert.equal((await list()).status, 500);
  });

  it("needs owners on both sides, of the organizations too", async () => {
    const { agency, client, at } = await newParties();
    const { token } = agency;
    const editor = await newUser();
    await fetch(`${at}/users`, { token, json: { userId: editor.id, roles: ["editor"] } });
    const owner = await newUser();
    await fetch(`${at}/users`, { token, json: { userId: owner.id, roles: ["owner"] } });
    const to = { email: client.email };
    assert.equal((await offer(at, editor.token, to)).status, 403);
    assert.equal((await offer(at, owner.token, to)).status, 403);
    assert.equal((await offer(at, client.token, to)).status, 404);
    assert.equal((await offer(at, undefined, to)).status, 403);
    const link = await newOffer(at, token, client.email);
    const member = await newUser();
    const users = `/v1/vault/organizations/${client.organizationId}/users`;
    await fetch(users, { token: client.token, json: { userId: member.id, roles: ["editor"] } });
    const into = { organizationId: client.organizationId };
    assert.equal(await statusOf(link, member.token, "POST", into), 403);
    const foreign = { organizationId: agency.organizationId };
    assert.equal(await statusOf(link, client.token, "POST", foreign), 422);
    const { organizationId } = await newOrganization("Stranger");
    for (const unseen of [organizationId, "f".repeat(24)]) {
      const json = { organizationId: unseen };
      const { status, body } = await fetch(link, { method: "POST", token: client.token, json });
      assert.deepEqual([status, body.errors[0].path], [422, "/organizationId"]);
    }
    assert.equal(await statusOf(link, client.token, "POST", into), 200);
  });

  it("rejects invalid recipients, and an API key", async () => {
    const { agency, client, at } = await newParties();
    const { token } = agency;
    for (const [json, status] of [
      [{}, 400],
      [{ email: "nobody" }, 400],
      [{ email: client.email, organizationId: client.organizationId }, 400],
      [{ organizationId: "0".repeat(24) }, 422],
      [{ organizationId: agency.organizationId }, 422],
    ] as const)
      assert.equal((await offer(at, token, json)).status, status, JSON.stringify(json));
    const scopes = ["vault:read", "vault:write"];
    const key = await fetch("/v1/auth/tokens", { token, json: { label: "k", scopes } });
    assert.equal((await offer(at, key.body.token, { email: client.email })).status, 403);
    const again = { "idempotency-key": randomUUID() };
    const first = await offer(at, token, { email: client.email }, again);
    assert.equal(first.status, 201);
    assert.equal((await offer(at, token, { email: client.email }, again)).status, 409);
  });

  it("rejects an acceptance that the plan does not include, and changes nothing", async () => {
    const { agency, client, project, at } = await newParties();
    const { token } = agency;
    for (const name of ["one", "two", "three"])
      await fetch("/v1/vault/contracts", { token, json: { projectId: project.id, name } });
    const link = await newOffer(at, token, client.email);
    const PLANS = JSON.stringify({ free: { configurationsMax: 2 } });
    await using other = await openAnotherService(service.databaseUrl, { PLANS });
    const json = { organizationId: client.organizationId };
    const refused = await fetch(other.url + link, { method: "POST", token: client.token, json });
    assert.equal(refused.status, 422);
    assert.match(refused.body.detail, /includes 2 configurations: the project has 3/);
    assert.equal(await statusOf(at, token), 200);
    assert.equal((await fetch(link)).status, 200);
  });

  it("is only for the confirmed address of the offer where the service requires it", async () => {
    const { agency, client, at } = await newParties();
    const RIGHTS_BY_EMAIL = "confirmed";
    await using other = await openAnotherService(service.databaseUrl, { RIGHTS_BY_EMAIL });
    await service.db
      .updateTable("users")
      .set({ email_verified_at: service.clock.now() })
      .where("id", "in", [agency.id])
      .execute();
    const json = { email: client.email };
    const sent = await fetch(`${other.url}${at}/transfer`, { token: agency.token, json });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const link = `${other.url}/v1/vault/transfers/${sent.body.transferToken.value}`;
    const into = { organizationId: client.organizationId };
    assert.equal((await fetch(link)).body.boundToAddress, true);
    assert.equal((await fetch(link, { token: client.token, json: into })).status, 403);
    await service.db
      .updateTable("users")
      .set({ email_verified_at: service.clock.now() })
      .where("id", "=", client.id)
      .execute();
    const list = await fetch(`${other.url}/v1/vault/transfers`, { token: client.token });
    assert.equal(list.body.length, 1);
    assert.equal((await fetch(link, { token: client.token, json: into })).status, 200);
  });

  it("has a site leave its template, and keeps a template that sites follow", async () => {
    const template = await newTemplate();
    const site = await newTemplateSite(template);
    const client = await newOrganization("Client");
    const accept = async (projectId: string) => {
      const link = await newOffer(`/v1/vault/projects/${projectId}`, template.token, client.email);
      const json = { organizationId: client.organizationId };
      return statusOf(link, client.token, "POST", json);
    };
    assert.equal(await accept(template.id), 409);
    assert.equal(await accept(site), 200);
    const cookies = await only(client.token, "cookies", site);
    await change(client.token, `cookies/${cookies.id}`, { title: "The site's own" });
    assert.equal(await accept(template.id), 200);
  });

  it("ends the review links of the project", async () => {
    const { agency, client, project, at } = await newParties();
    const { body } = await fetch(`/v1/reviews/${project.id}/links`, {
      token: agency.token,
      json: { recipient: "Dr. Weber" },
    });
    const page = new URL(body.url).pathname;
    assert.equal((await fetch(page)).status, 200);
    const link = await newOffer(at, agency.token, client.email);
    const json = { organizationId: client.organizationId };
    assert.equal(await statusOf(link, client.token, "POST", json), 200);
    assert.equal((await fetch(page)).status, 404);
  });
});
