import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase } from "../database.ts";
import { openSmtpServer } from "../stand-ins/smtp.ts";
import { unique } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { service } from "../harness.ts";
import { tokenOf } from "./mails.ts";

const WAIT_MS = 30_000;

test("sends mails by a mail server with SMTP_URL, retries after its outage, and logs neither token nor address", async () => {
  await using database = await openTestDatabase();
  await using server = await openSmtpServer({ user: "avow", password: "s3cret/pass" });
  await using another = await openAnotherService(database.url, {
    SMTP_URL: `smtp://avow:s3cret%2Fpass@127.0.0.1:${server.port}`,
    MAIL_FROM: "Avow <avow@example.com>",
  });
  server.refuse(450);
  const email = `ada-${unique()}@example.org`;
  const json = { email, password: "correct horse battery" };
  const { body } = await service.fetch(`${another.url}/v1/auth/local/signup`, { json });
  const deadline = Date.now() + WAIT_MS;
  while (!another.lines.some((line) => line.includes("will retry"))) {
    assert.ok(Date.now() < deadline, "the first attempt is rejected");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.refuse(undefined);
  while (server.taken.length === 0) {
    assert.ok(Date.now() < deadline, "the mail arrives");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [mail] = server.taken;
  assert.ok(mail);
  assert.deepEqual([mail.from, mail.to], ["avow@example.com", [email]]);
  assert.deepEqual(mail.email.from, { name: "Avow", address: "avow@example.com" });
  const token = tokenOf(mail.email);
  const answer = await service.fetch(`${another.url}/v1/auth/local/validate?token=${token}`);
  assert.equal(answer.status, 200);
  const log = another.lines.join("\n");
  assert.match(log, /answered 450/);
  for (const secret of [token, body.token, email, "s3cret", "correct horse battery"])
    assert.ok(!log.includes(secret), `the log contains ${secret}`);
});
