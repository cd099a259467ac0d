import assert from "node:assert/strict";
import { type Json, assertProblem, assertStatus, toList, toText, toPlain } from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toBanner } from "../documents.ts";
import { create, createProject } from "../site.ts";
import { newEmail, noAccount, openOwner, openSecond, runId, visitor } from "../target.ts";

const roles = ["owner", "editor", "viewer", "auditor"];

async function openMembers() {
  const second = await openSecond();
  const projectId = toText((await createProject())["_id"]);
  return { second, projectId, path: `/v1/vault/projects/${projectId}` };
}

function findMember(json: Json, userId: string): Json | undefined {
  return toList(json).find((member) => toPlain(member["userId"]) === userId);
}

section("Members and invitations", { isConcurrent: false }, () => {
  behaviour("lists the creator as owner", "wire 2", async () => {
    const { client, id, email } = await openOwner();
    const { path } = await openMembers();
    const { json } = assertStatus(await client.get(`${path}/users`), 200);
    assert.ok(Array.isArray(json), "a bare array");
    const [member] = toList(json);
    for (const name of ["_id", "id", "userId"]) assert.equal(member?.[name], id, name);
    assert.equal(member?.["email"], email);
    assert.deepEqual(member?.["roles"], ["owner"]);
    assert.equal(typeof member?.["displayName"], "string");
    assert.match(toText(member?.["addedAt"]), /Z$/);
  });

  behaviour(
    "adds a user by user id at once, and removes it",
    "interface: Vault; wire 2",
    async (t) => {
      const { client } = await openOwner();
      const { second, path } = await openMembers();
      if (!second) return t.skip(noAccount);
      const body = { userId: second.id, roles: ["viewer"] };
      const added = assertStatus(await client.post(`${path}/users`, body), 200);
      const member = findMember(added.json, second.id);
      assert.equal(member?.["_id"], second.id);
      assert.equal(member?.["id"], second.id);
      assert.deepEqual(member?.["roles"], ["viewer"]);
      assertStatus(await second.client.get(path), 200);
      const removed = assertStatus(await client.delete(`${path}/users/${second.id}`), 200);
      assert.equal(findMember(removed.json, second.id), undefined);
      assertProblem(await second.client.get(path), 404);
    },
  );

  behaviour("adds a user by e-mail address", "wire 2", async (t) => {
    const { client } = await openOwner();
    const { second, path } = await openMembers();
    if (!second) return t.skip(noAccount);
    const body = { email: second.email, roles: ["editor"] };
    const { json } = assertStatus(await client.post(`${path}/users`, body), 200);
    assert.deepEqual(findMember(json, second.id)?.["roles"], ["editor"]);
    assert.equal(findMember(json, second.id)?.["email"], second.email);
    assertStatus(await second.client.patch(path, { title: `By an editor ${runId}` }), 200);
  });

  behaviour(
    "answers 403 if a role does not allow a visible document's change",
    "wire 0",
    async (t) => {
      const { client } = await openOwner();
      const { second, path, projectId } = await openMembers();
      if (!second) return t.skip(noAccount);
      const banner = await create("cookies", toBanner(projectId));
      const body = { userId: second.id, roles: ["viewer"] };
      assertStatus(await client.post(`${path}/users`, body), 200);
      const cookies = `/v1/vault/cookies/${toText(banner["_id"])}`;
      assertStatus(await second.client.get(cookies), 200);
      assertProblem(await second.client.patch(path, { title: "No" }), 403);
      assertProblem(await second.client.patch(cookies, { title: "No" }), 403);
      assertProblem(await second.client.delete(path), 403);
      assertProblem(await second.client.post(`${path}/users`, { email: second.email }), 403);
      assertProblem(await second.client.post(`/v1/publish/jobs/${projectId}`), 403);
    },
  );

  behaviour("knows the roles owner, editor, viewer and auditor only", "wire 2", async (t) => {
    const { client } = await openOwner();
    const { second, path } = await openMembers();
    if (!second) return t.skip(noAccount);
    for (const role of roles) {
      const body = { userId: second.id, roles: [role] };
      const { json } = assertStatus(await client.post(`${path}/users`, body), 200);
      assert.ok(JSON.stringify(findMember(json, second.id)?.["roles"]).includes(role), role);
    }
    const wrong = { userId: second.id, roles: ["administrator"] };
    assertProblem(await client.post(`${path}/users`, wrong), 400);
  });

  behaviour("keeps one owner of every document: 409", "wire 2", async () => {
    const { client, id } = await openOwner();
    const { path } = await openMembers();
    assertProblem(await client.delete(`${path}/users/${id}`), 409);
  });

  behaviour(
    "lets the rights of an organization reach its projects and their configurations",
    "wire 2",
    async (t) => {
      const { client } = await openOwner();
      const second = await openSecond();
      if (!second) return t.skip(noAccount);
      const organization = await create("organizations", { name: `Conformance ${runId} team` });
      const organizationId = toText(organization["_id"]);
      const projectId = toText((await createProject({ organizationId }))["_id"]);
      const banner = toText((await create("cookies", toBanner(projectId)))["_id"]);
      assertProblem(await second.client.get(`/v1/vault/cookies/${banner}`), 404);
      const body = { email: second.email, roles: ["viewer"] };
      const path = `/v1/vault/organizations/${organizationId}/users`;
      const answer = await client.post(path, body);
      if (answer.status === 422) return t.skip("the plan of the organization has one seat");
      assertStatus(answer, 200);
      assertStatus(await second.client.get(`/v1/vault/projects/${projectId}`), 200);
      assertStatus(await second.client.get(`/v1/vault/cookies/${banner}`), 200);
    },
  );

  behaviour("invites by e-mail, and lets the invited user accept once", "wire 1", async (t) => {
    const { client } = await openOwner();
    const { second, path, projectId } = await openMembers();
    if (!second) return t.skip(noAccount);
    const data = { collection: "projects", id: projectId };
    const body = { email: second.email, displayName: "Second", role: "editor", data };
    const { json } = assertStatus(await client.post("/v1/auth/invitations", body), 200);
    assert.equal(typeof json["id"], "string");
    const token = toText(json["invitationToken"]?.["value"], "invitationToken.value");
    const expiration = Date.parse(toText(json["invitationToken"]?.["expiration"], "expiration"));
    assert.ok(expiration > Date.now());
    const address = `/v1/auth/invitations/${token}`;
    assertStatus(await visitor.get(address), 200);
    assertStatus(await second.client.post(address), 200, 201);
    assertStatus(await second.client.get(path), 200);
    const users = assertStatus(await client.get(`${path}/users`), 200);
    assert.deepEqual(findMember(users.json, second.id)?.["roles"], ["editor"]);
    assertProblem(await visitor.get(address), 404);
    assertProblem(await second.client.post(address), 404);
  });

  behaviour("withdraws an invitation", "wire 1", async () => {
    const { client } = await openOwner();
    const { projectId } = await openMembers();
    const data = { collection: "projects", id: projectId };
    const body = { email: newEmail("invited"), data };
    const { json } = assertStatus(await client.post("/v1/auth/invitations", body), 200);
    const address = `/v1/auth/invitations/${toText(json["invitationToken"]?.["value"])}`;
    assertStatus(await client.delete(address), 200, 204);
    assertProblem(await visitor.get(address), 404);
  });

  behaviour("lets a new user join by the token at sign-up", "wire 1", async (t) => {
    const { client } = await openOwner();
    const { second, projectId, path } = await openMembers();
    if (!second?.password) return t.skip(noAccount);
    const email = newEmail("joining");
    const body = { email, role: "viewer", data: { collection: "projects", id: projectId } };
    const { json } = assertStatus(await client.post("/v1/auth/invitations", body), 200);
    const invitationToken = toText(json["invitationToken"]?.["value"]);
    const fields = { email, password: second.password, invitationToken };
    const session = assertStatus(await visitor.post("/v1/auth/local/signup", fields), 200);
    const joined = visitor.withToken(toText(session.json["token"]));
    assertStatus(await joined.get(path), 200);
  });

  behaviour("answers 404 to an unknown invitation", "wire 1", async () => {
    assertProblem(await visitor.get("/v1/auth/invitations/conformance-unknown"), 404);
  });

  behaviour("answers 404 to an invitation to a foreign project", "wire 1", async (t) => {
    const { second, projectId } = await openMembers();
    if (!second) return t.skip(noAccount);
    const data = { collection: "projects", id: projectId };
    const body = { email: newEmail("foreign"), data };
    assertProblem(await second.client.post("/v1/auth/invitations", body), 404);
  });
});
