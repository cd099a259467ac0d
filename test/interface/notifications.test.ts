import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { listMails, waitForMail } from "./mails.ts";
import {
  type Item,
  choose,
  listNotifications,
  shareOpened,
  waitForNotifications,
  waitUntilNotified,
} from "./notified.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect, newSite, publish, share } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const count = async (token: string): Promise<number> =>
  (await service.fetch(paths.notificationCount, { token })).body.unread;
const mark = (token: string, json: object) =>
  service.fetch(paths.notificationReads, { token, json });

async function readMe(token: string): Promise<{ id: string; email: string; displayName: string }> {
  return (await service.fetch("/v1/auth/me", { token })).body;
}

/** A site with a person who asked to be erased. */
async function askErasure(site: Site): Promise<void> {
  await collect(site, "cookies", site.cookies, { token: "ann", accept: true });
  const { url } = await newLink(site, "ann");
  assert.equal((await post(url, { do: "request-erasure" })).status, 303);
}

describe("notifications", () => {
  it("about a publication reach those who may publish, but not its author", async () => {
    const site = await newSite();
    const [editor, viewer] = [await share(site, "editor"), await share(site, "viewer")];
    await publish(site);
    const [item] = await waitForNotifications(editor, "publication-done");
    const { displayName } = await readMe(site.token);
    assert.match(item?.text ?? "", new RegExp(`^${displayName} published version 1 of “Shop`));
    assert.equal(item?.project?.id, site.id);
    assert.equal(
      item?.links.screen,
      `${service.config.http.publicUrl}/admin/projects/${site.id}/publish`,
    );
    const kinds = async (token: string) =>
      (await listNotifications(token)).body.items.map(({ kind }: Item) => kind);
    assert.ok(!(await kinds(site.token)).includes("publication-done"), "the author");
    assert.ok(!(await kinds(viewer)).includes("publication-done"));
    const french = await service.fetch(paths.notifications, {
      token: editor,
      headers: { "accept-language": "fr" },
    });
    assert.match(french.body.items[0].text, /a publié la version 1 de « Shop/);
  });

  it("about a publication name its author in the mail, too", async () => {
    const site = await newSite();
    const editor = await shareOpened(site, "editor");
    await choose(editor, { mails: { "publication-done": "now" } });
    await publish(site);
    const { displayName } = await readMe(site.token);
    const mail = await waitForMail((await readMe(editor)).email, /published version 1 of/);
    assert.match(mail.subject ?? "", new RegExp(`^${displayName} published`));
  });

  it("are counted, marked as read one by one or all, and paged", async () => {
    const site = await newSite();
    const second = await share(site, "owner");
    for (const role of ["viewer", "viewer", "viewer"]) await share(site, role);
    const items = await waitForNotifications(second, "member-changed", 4);
    assert.equal(await count(second), items.length, "the role of its own, and three others");
    const [first] = items;
    assert.deepEqual((await mark(second, { ids: [first?.id, "unknown"] })).body, {
      unread: items.length - 1,
    });
    const unread = (await listNotifications(second, "?unread=true")).body.items as Item[];
    assert.ok(unread.every(({ id, readAt }) => id !== first?.id && readAt === undefined));
    const paged: string[] = [];
    for (let href: string | undefined = `${paths.notifications}?limit=2`; href;) {
      const { body } = await service.fetch(href, { token: second });
      paged.push(...body.items.map(({ id }: Item) => id));
      href = body.links.next;
    }
    assert.deepEqual(
      paged,
      items.map(({ id }) => id),
    );
    const other = await newSite();
    assert.equal((await mark(other.token, { ids: paged })).status, 200);
    assert.equal(await count(second), items.length - 1, "another user marks nothing of it");
    assert.deepEqual((await mark(second, {})).body, { unread: 0 });
    assert.equal((await mark(second, { ids: Array(101).fill("x") })).status, 400);
    assert.equal((await listNotifications(second, "?cursor=x")).status, 400);
  });

  it("about a project are gone for a removed member, who gets no mail either", async () => {
    const site = await newLiveSite();
    const second = await share(site, "owner");
    const { id, email } = await readMe(second);
    await askErasure(site);
    await waitForNotifications(second, "erasure-requested");
    const at = `/v1/vault/projects/${site.id}/users/${id}`;
    assert.equal((await service.fetch(at, { method: "DELETE", token: site.token })).status, 200);
    assert.deepEqual((await listNotifications(second)).body.items, []);
    assert.equal(await count(second), 0);
    const rule = { method: "PUT", token: site.token, json: { needsSecondPerson: true } };
    const third = await shareOpened(site, "owner");
    assert.equal((await service.fetch(`/v1/client/${site.id}/erasure-rule`, rule)).status, 200);
    const erased = { method: "DELETE", token: site.token };
    assert.equal((await service.fetch(`/v1/app/tokens/${site.id}/ann`, erased)).status, 202);
    await waitForMail((await readMe(third)).email, /proposed to erase/);
    assert.deepEqual(
      (await listMails(email)).filter(({ subject }) => /proposed to erase/.test(subject ?? "")),
      [],
    );
  });

  it("about a muted project are not made", async () => {
    const site = await newLiveSite();
    const second = await share(site, "owner");
    await waitForNotifications(second, "member-changed");
    assert.equal((await choose(second, { muted: [site.id] })).status, 200);
    await share(site, "viewer");
    await waitUntilNotified();
    const items = (await listNotifications(second)).body.items as Item[];
    assert.equal(
      items.filter(({ kind }) => kind === "member-changed").length,
      1,
      "before the mute",
    );
  });

  it("about a proposed erasure are mailed at once to the other owners, with one-click unsubscription", async () => {
    const site = await newLiveSite();
    const second = await shareOpened(site, "owner");
    const { email } = await readMe(second);
    const rule = { method: "PUT", token: site.token, json: { needsSecondPerson: true } };
    assert.equal((await service.fetch(`/v1/client/${site.id}/erasure-rule`, rule)).status, 200);
    await collect(site, "cookies", site.cookies, { token: "ann", accept: true });
    const { status } = await service.fetch(`/v1/app/tokens/${site.id}/ann`, {
      method: "DELETE",
      token: site.token,
    });
    assert.equal(status, 202);
    const mail = await waitForMail(email, /proposed to erase a person/);
    assert.doesNotMatch(JSON.stringify(mail), /\bann\b/, "the mail does not name the token");
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
    assert.equal(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
    const [, url = ""] = /^<(.+)>$/.exec(header("list-unsubscribe")) ?? [];
    assert.ok(mail.text?.includes(url), "the text has the link, too");
    const { pathname, search } = new URL(url);
    const page = await service.fetch(pathname + search);
    assert.equal(page.status, 200);
    assert.match(page.body, /<form method="post">/);
    const settings = () => service.fetch(paths.notificationSettings, { token: second });
    const mailOf = async () =>
      (await settings()).body.kinds.find((one: Item) => one.kind === "erasure-proposed").mail;
    assert.equal(await mailOf(), "now", "opening the link changes nothing");
    const form = { "List-Unsubscribe": "One-Click" };
    assert.equal((await service.fetch(pathname + search, { form })).status, 200);
    assert.equal(await mailOf(), "off");
    assert.equal((await service.fetch(pathname + search, { form })).status, 200, "again");
    const parts =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    const posted = { method: "POST", headers: multipart, body: parts };
    assert.equal((await service.fetch(pathname + search, posted)).status, 200);
  });

  it("are in the app only for users who were added by id, until they open the project", async () => {
    const site = await newLiveSite();
    const [unopened, opened] = [await share(site, "owner"), await shareOpened(site, "owner")];
    const rule = { method: "PUT", token: site.token, json: { needsSecondPerson: true } };
    assert.equal((await service.fetch(`/v1/client/${site.id}/erasure-rule`, rule)).status, 200);
    await waitForMail((await readMe(opened)).email, /required a second owner/);
    const [item] = await waitForNotifications(unopened, "erasure-rule-changed");
    const { displayName } = await readMe(site.token);
    assert.ok(item?.text.startsWith(`${displayName} required a second owner’s confirmation`));
    const mails = await listMails((await readMe(unopened)).email);
    assert.deepEqual(
      mails.filter(({ subject }) => /second owner/.test(subject ?? "")),
      [],
    );
  });

  it("are mailed in the language of the project to users who chose none", async () => {
    const site = await newLiveSite();
    const [undecided, decided] = [
      await shareOpened(site, "owner"),
      await shareOpened(site, "owner"),
    ];
    await choose(decided, {});
    const french = { method: "PATCH", token: site.token, json: { locales: ["fr", "en"] } };
    assert.equal((await service.fetch(`/v1/vault/projects/${site.id}`, french)).status, 200);
    const rule = { method: "PUT", token: site.token, json: { needsSecondPerson: true } };
    assert.equal((await service.fetch(`/v1/client/${site.id}/erasure-rule`, rule)).status, 200);
    await waitForMail((await readMe(undecided)).email, /a exigé qu’un second propriétaire/);
    await waitForMail((await readMe(decided)).email, /required a second owner/);
  });

  it("reject a forged unsubscription", async () => {
    const { token } = await service.newUser();
    for (const forged of ["x", "A".repeat(80), Buffer.from("{}").toString("base64url")]) {
      const at = `${paths.unsubscribePage}?token=${forged}`;
      assert.equal((await service.fetch(at)).status, 404);
      assert.equal((await service.fetch(at, { form: {} })).status, 404);
    }
    assert.equal((await service.fetch(paths.unsubscribePage, { form: {} })).status, 400);
    const { body } = await service.fetch(paths.notificationSettings, { token });
    const failed = body.kinds.find(({ kind }: Item) => kind === "publication-failed");
    assert.equal(failed.mail, "now");
  });

  it("are a person's: keys are refused", async () => {
    const { token } = await service.newUser();
    const json = { label: "k", scopes: ["vault:read", "trail:read"] };
    const { body } = await service.fetch("/v1/auth/tokens", { token, json });
    assert.equal((await listNotifications(body.token)).status, 403);
    assert.equal((await service.fetch(paths.notifications)).status, 403);
  });
});

describe("choices about notifications", () => {
  it("are kept by account, and default for those that are absent", async () => {
    const site = await newSite();
    const changed = await choose(site.token, {
      language: "fr",
      timeZone: "Europe/Paris",
      mails: { "scan-news": "daily" },
      weekly: [site.id],
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { body } = await service.fetch(paths.notificationSettings, { token: site.token });
    assert.deepEqual(
      [body.language, body.timeZone, body.weekly],
      ["fr", "Europe/Paris", [site.id]],
    );
    const mailOf = (kind: string) => body.kinds.find((one: Item) => one.kind === kind).mail;
    assert.deepEqual([mailOf("scan-news"), mailOf("publication-failed")], ["daily", "now"]);
  });

  it("reject unknown time zones, kinds and languages, and documents of others", async () => {
    const site = await newSite();
    const other = await newSite();
    const { token } = site;
    for (const timeZone of ["Mars/Olympus", "+02:00", "PST", ""])
      assert.equal((await choose(token, { timeZone })).status, 400, timeZone);
    assert.equal((await choose(token, { mails: { unknown: "off" } })).status, 400);
    assert.equal((await choose(token, { mails: { "scan-news": "hourly" } })).status, 400);
    assert.equal((await choose(token, { language: "de" })).status, 400);
    for (const field of ["muted", "weekly"])
      assert.equal((await choose(token, { [field]: [other.id] })).status, 422, field);
  });

  it("drop projects that the user has lost since choosing them", async () => {
    const site = await newSite();
    const other = await newSite();
    const second = await share(site, "owner");
    const own = await service.newProject(second, {});
    const lost = [site.id, own.id];
    assert.equal((await choose(second, { muted: lost, weekly: lost })).status, 200);
    const { id } = await readMe(second);
    const at = `/v1/vault/projects/${site.id}/users/${id}`;
    assert.equal((await service.fetch(at, { method: "DELETE", token: site.token })).status, 200);
    assert.equal((await choose(second, { muted: [...lost, other.id] })).status, 422);
    const { status, body } = await choose(second, { muted: lost, weekly: lost });
    assert.deepEqual([status, body.muted, body.weekly], [200, [own.id], [own.id]]);
    const read = await service.fetch(paths.notificationSettings, { token: second });
    assert.deepEqual([read.body.muted, read.body.weekly], [[own.id], [own.id]]);
    assert.equal((await choose(second, { muted: [site.id] })).status, 422, "is forgotten");
  });
});
