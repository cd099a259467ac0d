import assert from "node:assert/strict";
import { test } from "node:test";
import { service } from "../harness.ts";
import { faultPaths, password, signUp, unique } from "./accounts.ts";
import { listMails, waitForMail } from "./mails.ts";

test("POST signup rejects an address as username that is not the account's e-mail address", async () => {
  const email = `${unique()}@example.org`;
  const owner = `ceo-${unique()}@victim.example`;
  for (const username of [owner, owner.toUpperCase(), owner.replace("@", "\uff20"), ` ${owner} `]) {
    const answer = await signUp({ username, email, password });
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ["/username"]], username);
  }
  assert.equal(
    (await signUp({ username: owner, email: owner.toUpperCase(), password })).status,
    200,
  );
});

/** An account from before usernames that look like addresses were rejected. */
async function squat(address: string): Promise<{ id: string; email: string }> {
  const user = await service.newUser();
  await service.db.insertInto("logins").values({ name: address, user_id: user.id }).execute();
  await service.db
    .updateTable("users")
    .set({ username: address })
    .where("id", "=", user.id)
    .execute();
  return user;
}

test("roles and reset links by e-mail address go to its account, not to the one with it as username", async () => {
  const address = `ceo-${unique()}@victim.example`;
  const squatter = await squat(address);
  const owner = await service.newOwner();
  const add = (email: string) =>
    service.fetch(`/v1/vault/projects/${owner.project.id}/users`, {
      token: owner.token,
      json: { email, roles: ["owner"] },
    });
  const answer = await add(address);
  assert.deepEqual([answer.status, faultPaths(answer)], [422, ["/email"]]);
  assert.equal((await add(squatter.email.toUpperCase())).status, 200);
  const ask = (email: string) =>
    service.fetch("/v1/auth/local/reset-password-token", { json: { email } });
  await ask(address);
  const after = await service.newUser();
  await ask(after.email);
  await waitForMail(after.email, /new password/);
  const mails = [...(await listMails(squatter.email)), ...(await listMails(address))];
  assert.ok(!mails.some(({ subject }) => /new password/.test(subject ?? "")));
});

test("an address that only case-folds to another is another mailbox, without its roles", async () => {
  const name = `stra\u00dfe-${unique()}@victim.example`;
  assert.equal((await signUp({ email: name, password })).status, 200);
  const owner = await service.newOwner();
  const { status } = await service.fetch(`/v1/vault/projects/${owner.project.id}/users`, {
    token: owner.token,
    json: { email: name.replace("\u00df", "ss") },
  });
  assert.equal(status, 422);
});
