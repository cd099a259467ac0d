import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type TestAnswer, service } from "../harness.ts";
import { eventsOf, faultPaths, getMe, password, signIn, signUp, unique } from "./accounts.ts";
import { addFactor, wrongCodeOf } from "./factors.ts";
import { waitForMail } from "./mails.ts";
import { create } from "./site.ts";

const end = (token: string, json: object): Promise<TestAnswer> =>
  service.fetch("/v1/auth/me/deletion", { token, json });

test("deleting an account removes names, roles, keys and webhooks; the audit trail keeps an id", async () => {
  const owner = await service.newOwner();
  const email = `gone-${unique()}@example.org`;
  const names = { displayName: "Ada Byron", firstName: "Ada", lastName: "Byron" };
  const { token } = (await signUp({ email, password, ...names })).body;
  const { id } = (await getMe(token)).body;
  const given = await service.fetch(`/v1/vault/projects/${owner.project.id}/users`, {
    token: owner.token,
    json: { userId: id, roles: ["owner"] },
  });
  assert.equal(given.status, 200);
  const titled = { method: "PATCH", token, json: { title: "Shop of Ada" } };
  await service.fetch(`/v1/vault/projects/${owner.project.id}`, titled);
  const key = await service.fetch("/v1/auth/tokens", {
    token,
    json: { label: "machine", scopes: ["vault:read"] },
  });
  const hook = { url: "https://hooks.example/ada", events: ["project.updated"] };
  assert.equal((await service.fetch("/v1/webhooks", { token, json: hook })).status, 201);
  const answer = await end(token, { confirm: email.toUpperCase(), password });
  assert.equal(answer.status, 204, JSON.stringify(answer.body));
  for (const one of [token, key.body.token]) assert.equal((await getMe(one)).status, 403);
  assert.equal((await signIn(email)).status, 401);
  await waitForMail(email, /was deleted/);
  const users = await service.fetch(`/v1/vault/projects/${owner.project.id}/users`, {
    token: owner.token,
  });
  assert.equal(JSON.stringify(users.body).includes(id), false);
  assert.equal((await eventsOf(id)).at(-1), "user.deleted");
  for (const table of ["users", "logins", "identities", "access_tokens", "webhooks", "invitations"])
    assert.deepEqual(await findIn(table, email, id), [], table);
  assert.equal((await signUp({ email, password })).status, 200, "the address is free again");
});

/** Rows of a table that contain a person's name, e-mail address or id. */
async function findIn(table: string, email: string, id: string): Promise<unknown[]> {
  const { rows } = await sql`SELECT * FROM ${sql.table(table)} AS t
    WHERE t::text ILIKE ${`%${email}%`} OR t::text LIKE ${`%${id}%`}`.execute(service.db);
  return rows;
}

test("deleting the last owner of something is rejected, naming it, until it has another owner", async () => {
  const { token, email, project } = await service.newOwner();
  const organizationId = await create(token, "organizations", { name: "Org" });
  const inside = await service.newProject(token, { organizationId, title: "Inside" });
  const refused = await end(token, { confirm: email, password });
  assert.equal(refused.status, 409);
  assert.deepEqual(faultPaths(refused).toSorted(), [
    `/organizations/${organizationId}`,
    `/projects/${project.id}`,
  ]);
  assert.match(refused.body.detail, /“Shop”/);
  const other = await service.newUser();
  for (const path of [`organizations/${organizationId}`, `projects/${project.id}`])
    await service.fetch(`/v1/vault/${path}/users`, {
      token,
      json: { userId: other.id, roles: ["owner"] },
    });
  const unopened = await end(token, { confirm: email, password });
  assert.equal(unopened.status, 409, "an owner who has not opened it could not give it back");
  for (const path of [`organizations/${organizationId}`, `projects/${project.id}`])
    await service.fetch(`/v1/vault/${path}`, { token: other.token });
  assert.equal((await end(token, { confirm: email, password })).status, 204);
  const kept = await service.fetch(`/v1/vault/projects/${inside.id}`, { token: other.token });
  assert.equal(kept.status, 200);
});

test("one of two last owners stays if both delete their accounts concurrently", async () => {
  const [one, two] = [await service.newOwner(), await service.newUser()];
  await service.fetch(`/v1/vault/projects/${one.project.id}/users`, {
    token: one.token,
    json: { userId: two.id, roles: ["owner"] },
  });
  const answers = await Promise.all(
    [one, two].map(({ token, email }) => end(token, { confirm: email, password })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 409],
  );
});

test("deleting an account requires the username, and the password or a sign-in within the last 15 minutes", async (t) => {
  t.after(() => service.clock.reset());
  const { token, email } = await service.newUser();
  const wrong = await end(token, { confirm: "somebody", password });
  assert.deepEqual([wrong.status, faultPaths(wrong)], [400, ["/confirm"]]);
  const guess = await end(token, { confirm: email, password: "wrong" });
  assert.deepEqual([guess.status, faultPaths(guess)], [400, ["/password"]]);
  service.clock.advance(16 * 60_000);
  const old = await end(token, { confirm: email });
  assert.deepEqual([old.status, old.body.type], [403, "/problems/confirmation-needed"]);
  const { token: fresh } = (await signIn(email)).body;
  assert.equal((await end(fresh, { confirm: email })).status, 204);
});

test("deleting an account requires its second factor: a password or an older session deletes nothing", async (t) => {
  t.after(() => service.clock.reset());
  const { token, email } = await service.newUser();
  const before = (await signIn(email)).body.token;
  const { nextCode, secret } = await addFactor(token);
  const needed = { status: 403, type: "/problems/confirmation-needed" };
  const ask = async (by: string, json: object) => {
    const { status, body } = await end(by, { confirm: email, ...json });
    return { status, type: body.type, ...(body.errors ? { path: body.errors[0].path } : {}) };
  };
  const codeNeeded = { status: 400, type: "/problems/invalid", path: "/code" };
  assert.deepEqual(await ask(before, {}), needed, "recent, but without the second factor");
  assert.deepEqual(await ask(before, { password }), codeNeeded);
  assert.deepEqual(await ask(before, { code: wrongCodeOf(secret) }), codeNeeded);
  service.clock.advance(16 * 60_000);
  assert.deepEqual(await ask(token, { password }), codeNeeded);
  assert.deepEqual(await ask(token, {}), needed);
  assert.equal((await getMe(token)).status, 200);
  assert.equal((await end(before, { confirm: email, code: nextCode() })).status, 204);
  assert.equal((await getMe(token)).status, 403);
});

test("deleting an account is allowed with a session that recently confirmed the second factor", async (t) => {
  t.after(() => service.clock.reset());
  const { token, email } = await service.newUser();
  const { nextCode } = await addFactor(token);
  service.clock.advance(16 * 60_000);
  const json = { code: nextCode() };
  assert.equal((await service.fetch("/v1/auth/confirm", { token, json })).status, 200);
  assert.equal(
    (await end(token, { confirm: email, ...json })).status,
    400,
    "a code is accepted once",
  );
  assert.equal((await end(token, { confirm: email })).status, 204);
});

test("deleting an account limits password guesses with a stolen session as at sign-in", async () => {
  const { token, email } = await service.newUser();
  const guess = () => end(token, { confirm: email, password: "wrong" });
  for (let count = 0; count < 10; count += 1) assert.equal((await guess()).status, 400);
  assert.equal((await guess()).status, 429);
  assert.equal((await getMe(token)).status, 200);
});

test("deleting an account removes invitations to a confirmed address with its account and audits it; invitations to an unconfirmed address stay", async () => {
  const owner = await service.newOwner();
  const data = { collection: "projects", id: owner.project.id };
  const at = "/v1/auth/invitations";
  for (const isConfirmed of [false, true]) {
    const email = `invited-${unique()}@example.org`;
    const { token } = (await signUp({ email, password })).body;
    const json = { email: email.toUpperCase(), data };
    const invited = await service.fetch(at, { token: owner.token, json });
    assert.equal(invited.status, 200, JSON.stringify(invited.body));
    if (isConfirmed)
      await service.db
        .updateTable("users")
        .set({ email_verified_at: new Date() })
        .where("email", "=", email)
        .execute();
    assert.equal((await end(token, { confirm: email, password })).status, 204);
    const shown = await service.fetch(`${at}/${invited.body.invitationToken.value}`);
    assert.equal(shown.status, isConfirmed ? 404 : 200);
    const query = `projectId=${owner.project.id}&event=invitation.withdrawn`;
    const trail = await service.fetch(`/v1/vault/audit?${query}`, { token: owner.token });
    assert.deepEqual(
      trail.body.items.map(
        ({ details }: { details: { invitationId: string } }) => details.invitationId,
      ),
      isConfirmed ? [invited.body.id] : [],
    );
  }
});
