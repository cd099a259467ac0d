import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import PostalMime from "postal-mime";
import { deleteMailFiles, openFolderMails } from "../../packages/server/platform/mail/folder.ts";
import { type Mail, MailError, type Mails } from "../../packages/server/platform/mail/mail.ts";
import { openMemoryMails } from "../../packages/server/platform/mail/memory.ts";
import { openSmtpMails } from "../../packages/server/platform/mail/smtp.ts";
import { newCertificate } from "../stand-ins/certificate.ts";
import { openSmtpServer } from "../stand-ins/smtp.ts";

interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}
type TestMails = { mails: Mails; read: () => Promise<ReceivedMail[]>; close: () => Promise<void> };

const from = { name: "Avow, the service", address: "avow@example.org" };
const login = { user: "service", password: "p:@ss/word" };

async function parse(raw: string | Buffer): Promise<ReceivedMail> {
  const { to, subject = "", text = "", html = "" } = await PostalMime.parse(raw);
  return { to: to?.[0]?.address ?? "", subject, text: text.trimEnd(), html: html.trimEnd() };
}

const drivers: Record<string, () => Promise<TestMails>> = {
  memory: async () => {
    const mails = openMemoryMails();
    return { mails, read: async () => [...mails.sent()], close: async () => {} };
  },
  folder: async () => {
    const folder = await mkdtemp(join(tmpdir(), "avow-mails-"));
    const mails = await openFolderMails({ folder, from, log: { info: () => undefined } });
    const read = async () =>
      Promise.all(
        (await readdir(folder)).map(async (name) => parse(await readFile(join(folder, name)))),
      );
    return { mails, read, close: () => rm(folder, { recursive: true }) };
  },
  SMTP: async () => {
    const opened = new AsyncDisposableStack();
    const server = opened.use(await openSmtpServer(login));
    const place = { host: "127.0.0.1", port: server.port, tls: "none" } as const;
    const mails = opened.use(openSmtpMails({ server: place, login, from }));
    const read = () => Promise.all(server.taken.map(({ raw }) => parse(raw)));
    return { mails, read, close: () => opened.disposeAsync() };
  },
};

function newMail(fields: Partial<Mail> = {}): Mail {
  return {
    id: "0123456789abcdef01234567",
    to: "ada@example.org",
    subject: "Hello",
    text: "Hello Ada",
    html: "<p>Hello Ada</p>",
    language: "en",
    ...fields,
  };
}

for (const [name, openDriver] of Object.entries(drivers)) {
  describe(`mails by ${name}`, () => {
    let opened: TestMails;
    beforeEach(async () => {
      opened = await openDriver();
    });
    afterEach(() => opened.close());

    test("arrive with their words unchanged, in any script", async () => {
      const mail = newMail({
        subject: "Confirmez l’adresse — 確認 — " + "long ".repeat(40).trim(),
        text: `Une ligne très longue ${"é".repeat(2_000)}\n.\n\nFrom here 💚`,
        html: `<p title="a=b">Ελληνικά &amp; ${"中".repeat(1_000)}</p>`,
      });
      await opened.mails.sendMail(mail);
      const { to, subject, text, html } = mail;
      const [read, ...more] = await opened.read();
      assert.deepEqual([read?.to, read?.subject, read?.html], [to, subject, html]);
      assert.equal(read?.text.replaceAll("\r\n", "\n"), text);
      assert.equal(more.length, 0);
    });

    test("are permanently rejected when address or subject could add a header or a recipient", async () => {
      const bad: Partial<Mail>[] = [
        { to: "ada@example.org, eve@example.org" },
        { to: "ada@example.org\r\nBcc: eve@example.org" },
        { to: "Eve <eve@example.org>" },
        { to: "ada" },
        { to: "" },
        { subject: "Hello\r\nBcc: eve@example.org" },
        { id: "../mail" },
      ];
      for (const fields of bad)
        await assert.rejects(
          () => opened.mails.sendMail(newMail(fields)),
          (error) => error instanceof MailError && error.isLasting,
          JSON.stringify(fields),
        );
      assert.deepEqual(await opened.read(), []);
    });
  });
}

test("mails report a mail server's rejection with its number and without the address; 5yz is permanent", async () => {
  await using server = await openSmtpServer(login);
  const place = { host: "127.0.0.1", port: server.port, tls: "none" } as const;
  using mails = openSmtpMails({ server: place, login, from });
  for (const [status, isLasting] of [
    [550, true],
    [451, false],
  ] as const) {
    server.refuse(status);
    await assert.rejects(
      () => mails.sendMail(newMail()),
      (error) => {
        assert.ok(error instanceof MailError);
        assert.match(error.message, new RegExp(`answered ${status}`));
        assert.doesNotMatch(`${error.message} ${error.stack}`, /ada@/);
        assert.equal(error.isLasting, isLasting);
        return true;
      },
    );
  }
  server.refuse(undefined);
  await mails.sendMail(newMail());
  assert.deepEqual(server.taken[0]?.to, ["ada@example.org"]);
  assert.equal(server.taken[0]?.from, from.address);
  assert.match(server.taken[0]?.raw ?? "", /^Auto-Submitted: auto-generated$/im);
});

test("mails are retried after a wrong login, or while the server is unreachable", async () => {
  await using server = await openSmtpServer(login);
  const place = { host: "127.0.0.1", port: server.port, tls: "none" } as const;
  const isTemporary = (error: unknown): boolean => error instanceof MailError && !error.isLasting;
  using wrong = openSmtpMails({ server: place, login: { ...login, password: "x" }, from });
  await assert.rejects(() => wrong.sendMail(newMail()), isTemporary);
  await server[Symbol.asyncDispose]();
  using away = openSmtpMails({ server: place, login, from });
  await assert.rejects(() => away.sendMail(newMail()), isTemporary);
});

test("mails reveal nothing to a server without the required STARTTLS, or with an untrusted certificate", async () => {
  for (const startTls of [false, true]) {
    await using server = await openSmtpServer(login, { startTls });
    const place = { host: "127.0.0.1", port: server.port, tls: "upgrade" } as const;
    using mails = openSmtpMails({ server: place, login, from });
    await assert.rejects(() => mails.sendMail(newMail()), MailError);
    assert.deepEqual(server.taken, []);
  }
});

test("mails are delivered over TLS, implicit or by STARTTLS, where the certificate matches the server", async (context) => {
  const certificate = await newCertificate("127.0.0.1");
  if (!certificate) return context.skip("this machine has no openssl");
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, certificate.cert]);
  context.after(() => setDefaultCACertificates(trusted));
  for (const tls of ["start", "upgrade"] as const) {
    const secure = tls === "start";
    await using server = await openSmtpServer(login, { ...certificate, secure, startTls: !secure });
    const place = { host: "127.0.0.1", port: server.port, tls } as const;
    using mails = openSmtpMails({ server: place, login, from });
    await mails.sendMail(newMail());
    assert.deepEqual([server.taken.length, server.taken[0]?.isEncrypted], [1, true], tls);
    // The same certificate, for another name.
    using misled = openSmtpMails({ server: { ...place, host: "localhost" }, login, from });
    await assert.rejects(() => misled.sendMail(newMail()), MailError);
    assert.equal(server.taken.length, 1);
  }
});

test("mail files are private, one for the same mail, and old ones are deleted", async (context) => {
  const folder = join(await mkdtemp(join(tmpdir(), "avow-mails-")), "mails");
  context.after(() => rm(join(folder, ".."), { recursive: true }));
  const logged: unknown[] = [];
  const log = { info: (fields: object) => void logged.push(fields) };
  const mails = await openFolderMails({ folder, from, log });
  await mails.sendMail(newMail());
  await mails.sendMail(newMail());
  const file = join(folder, "0123456789abcdef01234567.eml");
  assert.deepEqual(await readdir(folder), ["0123456789abcdef01234567.eml"]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.deepEqual(logged, [{ file }, { file }]);
  await mails.sendMail(newMail({ id: "new" }));
  await utimes(file, new Date(0), new Date(0));
  await deleteMailFiles(folder, new Date(1_000));
  assert.deepEqual(await readdir(folder), ["new.eml"]);
});
