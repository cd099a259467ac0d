import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { eventsOf, faultPaths, getMe, password, signIn, signUp, unique } from "./accounts.ts";
import { linkOf, listMails, tokenOf, waitForMail } from "./mails.ts";

const HOUR_MS = 3_600_000;
const resetSubject = /new password/;
const ask = (json: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  service.fetch("/v1/auth/local/reset-password-token", { json, headers });
const reset = (token: string, given: string): Promise<TestAnswer> =>
  service.fetch("/v1/auth/local/reset-password", { json: { token, password: given } });

test("a mailed reset link sets a new password once, and revokes all older tokens", async () => {
  const { email, token, id } = await service.newUser();
  const asked = await ask({ email: email.toUpperCase() });
  assert.deepEqual([asked.status, asked.body], [200, { success: true }]);
  const mail = await waitForMail(email, resetSubject);
  const link = linkOf(mail);
  assert.equal(link.origin + link.pathname, `${service.config.http.publicUrl}/account/reset`);
  const answer = await reset(tokenOf(mail), "battery staple");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal((await getMe(answer.body.token)).body.id, id);
  assert.equal((await getMe(token)).status, 403, "older tokens are revoked");
  assert.equal((await signIn(email)).status, 401);
  assert.equal((await signIn(email, "battery staple")).status, 200);
  const again = await reset(tokenOf(mail), "another");
  assert.deepEqual([again.status, faultPaths(again)], [400, ["/token"]]);
  assert.ok((await eventsOf(id)).includes("password.changed"));
  await waitForMail(email, /was changed/);
  assert.equal((await getMe(answer.body.token)).body.emailConfirmed, true);
});

test("a reset link that was mailed to a previous address of an account confirms no address", async () => {
  const { email, id } = await service.newUser();
  await ask({ email });
  const token = tokenOf(await waitForMail(email, resetSubject));
  const set = { email: `${unique()}@example.org` };
  await service.db.updateTable("users").set(set).where("id", "=", id).execute();
  const answer = await reset(token, "battery staple");
  assert.equal(answer.status, 200);
  assert.equal((await getMe(answer.body.token)).body.emailConfirmed, false);
});

test("one of two concurrent uses of a reset token sets the password", async () => {
  const { email } = await service.newUser();
  await ask({ email });
  const token = tokenOf(await waitForMail(email, resetSubject));
  const answers = await Promise.all([reset(token, "one"), reset(token, "two")]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
});

test("a reset token expires after an hour, and with the next reset", async (t) => {
  t.after(() => service.clock.reset());
  const { email } = await service.newUser();
  await ask({ email });
  const first = tokenOf(await waitForMail(email, resetSubject));
  await ask({ email });
  const deadline = Date.now() + 30_000;
  while ((await listMails(email)).filter((m) => resetSubject.test(m.subject ?? "")).length < 2) {
    assert.ok(Date.now() < deadline);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const tokens = (await listMails(email))
    .filter((m) => resetSubject.test(m.subject ?? ""))
    .map(tokenOf);
  const second = tokens.find((token) => token !== first) ?? "";
  assert.equal((await reset(second, "new one")).status, 200);
  assert.equal(
    (await reset(first, "new two")).status,
    400,
    "the next reset revoked the older token",
  );
  await ask({ email });
  await new Promise((resolve) => setTimeout(resolve, 0));
  let third = "";
  while (third === "") {
    assert.ok(Date.now() < deadline + 30_000);
    const all = (await listMails(email)).filter((m) => resetSubject.test(m.subject ?? ""));
    third = all.map(tokenOf).find((token) => !tokens.includes(token)) ?? "";
  }
  service.clock.advance(HOUR_MS + 1_000);
  assert.equal((await reset(third, "new three")).status, 400);
});

test("POST reset-password-token responds alike for an unknown address, in body, headers and writes", async () => {
  const { email } = await service.newUser();
  const nobody = `nobody-${unique()}@example.org`;
  const shown = ({ status, headers, body }: TestAnswer): unknown => {
    const hidden = new Set(["x-request-id", "date"]);
    return [status, body, [...headers].filter(([name]) => !hidden.has(name))];
  };
  assert.deepEqual(shown(await ask({ email })), shown(await ask({ email: nobody })));
  await waitForMail(email, resetSubject);
  assert.deepEqual(await listMails(nobody), []);
});

test("POST reset-password-token mails one address at most five links an hour, and responds alike beyond", async () => {
  const { email } = await service.newUser();
  for (let i = 0; i < 8; i += 1) assert.deepEqual((await ask({ email })).body, { success: true });
  const last = `last-${unique()}@example.org`;
  await signUp({ email: last, password });
  await ask({ email: last });
  await waitForMail(last, resetSubject);
  const deadline = Date.now() + 60_000;
  const count = async () =>
    (await listMails(email)).filter((mail) => resetSubject.test(mail.subject ?? "")).length;
  while ((await count()) < 5 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await count(), 5);
});

test("resetUrl redirects to configured origins only, compared as a whole", async () => {
  const { email } = await service.newUser();
  const resetUrl = "https://admin.example/reset?tab=1#x";
  assert.equal((await ask({ email, resetUrl })).status, 200);
  const link = linkOf(await waitForMail(email, resetSubject));
  assert.equal(link.origin, "https://admin.example");
  assert.equal(link.searchParams.get("tab"), "1");
  assert.equal(link.hash, "#x");
  const elsewhere = [
    "https://evil.example/reset",
    "https://admin.example.evil.example/",
    "https://admin.example@evil.example/",
    "https://user@admin.example/",
    "http://admin.example/",
    "https://admin.example:8443/",
    "//evil.example",
    "/reset",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://admin.example\\@evil.example/",
    "\u0001https://evil.example",
    "https:evil.example",
  ];
  for (const given of elsewhere) {
    const answer = await ask({ email, resetUrl: given });
    assert.equal(answer.status, 400, given);
    assert.deepEqual(faultPaths(answer), ["/resetUrl"]);
  }
});

test("mails are in the language that the browser requests", async () => {
  const { email } = await service.newUser();
  await ask({ email }, { "accept-language": "fr-CA, fr;q=0.9, en;q=0.5" });
  const mail = await waitForMail(email, /nouveau mot de passe/);
  assert.match(mail.html ?? "", /<html lang="fr">/);
  assert.doesNotMatch(mail.html ?? "", /<img|<link|<script|@import|url\(/);
});

test("PUT update-password with the right current password changes it, and keeps only the token in use", async () => {
  const { email, token, id } = await service.newUser();
  const { body: other } = await signIn(email);
  const put = (json: unknown): Promise<TestAnswer> =>
    service.fetch("/v1/auth/local/update-password", { method: "PUT", token, json });
  const wrong = await put({ current: "wrong", new: "x", confirm: "x" });
  assert.deepEqual([wrong.status, faultPaths(wrong)], [400, ["/current"]]);
  const unlike = await put({ current: password, new: "x", confirm: "y" });
  assert.deepEqual([unlike.status, faultPaths(unlike)], [400, ["/confirm"]]);
  assert.deepEqual(faultPaths(await put({})).toSorted(), ["/confirm", "/current", "/new"]);
  const right = await put({ current: password, new: "battery", confirm: "battery" });
  assert.deepEqual([right.status, right.body.success], [200, true]);
  assert.equal((await getMe(token)).body.id, id);
  assert.equal((await getMe(other.token)).status, 403);
  assert.equal((await signIn(email, "battery")).status, 200);
  await waitForMail(email, /was changed/);
});

test("PUT update-password limits guesses with a stolen session as at sign-in", async () => {
  const { token } = await service.newUser();
  const json = { current: "wrong", new: "x", confirm: "x" };
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    const request = { method: "PUT", token, json };
    statuses.push((await service.fetch("/v1/auth/local/update-password", request)).status);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429]);
});

const isConfirmed = async (token: string): Promise<boolean> =>
  (await getMe(token)).body.emailConfirmed;

test("sign-up mails a link to a page whose button confirms the address; opening the link does not", async (t) => {
  t.after(() => service.clock.reset());
  const { email, token } = await service.newUser();
  const mail = await waitForMail(email, /Confirm your/);
  assert.match(
    mail.text ?? "",
    /If you did not create an account, do not confirm: .* reset its password/,
  );
  const link = linkOf(mail);
  assert.equal(link.pathname, "/account/confirm");
  for (const accept of ["text/html", "*/*", "application/json"])
    for (const method of ["GET", "HEAD"]) {
      const page = await service.fetch(link.href, { method, headers: { accept } });
      assert.equal(page.status, 200);
      if (method === "GET") assert.match(page.body, /<form method="post" action="confirm">/);
    }
  assert.equal(await isConfirmed(token), false, "a mail scanner confirms nothing");
  const mailed = tokenOf(await waitForMail(email, /Confirm your/));
  const press = (form: Record<string, string>): Promise<TestAnswer> =>
    service.fetch(link.pathname, { form });
  const answer = await press({ token: mailed });
  assert.equal(answer.status, 200);
  assert.match(answer.body, /Your e-mail address is confirmed/);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(await isConfirmed(token), true);
  assert.equal((await press({ token: mailed })).status, 200, "pressed twice");
  assert.equal((await press({ token: "unknown" })).status, 404);
  assert.equal((await press({})).status, 400);
  service.clock.advance(24 * HOUR_MS);
  assert.equal((await press({ token: mailed })).status, 404);
  const late = await service.fetch(link.href);
  assert.equal(late.status, 404);
  assert.match(late.body, /no longer works/);
});

test("GET validate confirms the address for applications with their own pages, within a day", async (t) => {
  t.after(() => service.clock.reset());
  const { email, token } = await service.newUser();
  const { search } = linkOf(await waitForMail(email, /Confirm your/));
  const link = { pathname: "/v1/auth/local/validate", search };
  assert.equal((await getMe(token)).body.emailConfirmed, false);
  for (let i = 0; i < 2; i += 1) {
    const answer = await service.fetch(link.pathname + link.search);
    assert.deepEqual([answer.status, answer.body], [200, { success: true }]);
  }
  assert.equal((await getMe(token)).body.emailConfirmed, true);
  const html = await service.fetch(link.pathname + link.search, {
    headers: { accept: "text/html" },
  });
  assert.equal(html.status, 302);
  const page = await service.fetch(html.headers.get("location") ?? "");
  assert.match(page.body, /Your e-mail address is confirmed/);
  const go = (to: string): Promise<TestAnswer> =>
    service.fetch(`${link.pathname}${link.search}&redirectURI=${encodeURIComponent(to)}`);
  const sent = await go("https://admin.example/welcome");
  assert.deepEqual(
    [sent.status, sent.headers.get("location")],
    [302, "https://admin.example/welcome"],
  );
  assert.equal((await go("https://evil.example/")).status, 400);
  service.clock.advance(24 * HOUR_MS);
  assert.equal((await service.fetch(link.pathname + link.search)).status, 404);
});

test("requesting another confirmation revokes the previous one", async () => {
  const { email, token } = await service.newUser();
  const first = tokenOf(await waitForMail(email, /Confirm your/));
  const at = "/v1/auth/local/validate";
  assert.equal((await service.fetch(at, { method: "POST", token })).status, 200);
  const gone = await service.fetch(`${at}?token=${first}`);
  assert.equal(gone.status, 404);
});

test("the page behind a reset link works without scripts, loads nothing and sets the password", async () => {
  const { email } = await service.newUser();
  await ask({ email });
  const link = linkOf(await waitForMail(email, resetSubject));
  const page = await service.fetch(link.href);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  assert.equal(page.headers.get("cache-control"), "no-store");
  const token = link.searchParams.get("token") ?? "";
  const form = { token, password: "by the page" };
  const done = await service.fetch("/account/reset", { form });
  assert.deepEqual([done.status, /Your password is set/.test(done.body)], [200, true]);
  assert.equal((await signIn(email, "by the page")).status, 200);
  const again = await service.fetch("/account/reset", { form });
  assert.deepEqual([again.status, /no longer works/.test(again.body)], [404, true]);
  const odd = await service.fetch(`/account/reset?token=${encodeURIComponent('"><script>')}`);
  assert.equal(odd.status, 404);
  assert.doesNotMatch(odd.body, /<script/);
});

test("the database reveals neither mailed tokens nor recipients: tokens are hashed, jobs are encrypted", async () => {
  const { email } = await service.newUser();
  await ask({ email });
  const token = tokenOf(await waitForMail(email, resetSubject));
  const { rows } = await service.db.executeQuery<{ text: string }>(
    (await import("kysely")).sql`
      SELECT coalesce(string_agg(data::text || coalesce(output::text, ''), ' '), '') AS text
      FROM pgboss.job WHERE name IN ('mails', 'password-resets')
      UNION ALL SELECT coalesce(string_agg(t::text, ' '), '') FROM one_time_tokens t
    `.compile(service.db),
  );
  const [jobs, tokens] = rows.map(({ text }) => text);
  assert.ok(jobs !== undefined && jobs.length > 100 && tokens !== undefined && tokens.length > 50);
  assert.ok(!jobs.includes(token) && !jobs.includes(email), "jobs contain neither");
  assert.ok(!tokens.includes(token), "tokens are hashed");
});
