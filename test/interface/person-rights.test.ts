import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { listMails, waitForMail } from "./mails.ts";
import { waitForNotifications } from "./notified.ts";
import { newLink, post } from "./persons.ts";
import { type Site, collect, share } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

/** A site with a person who has answered, and the URL of their page. */
async function newPage(): Promise<{ site: Site; url: string }> {
  const site = await newLiveSite();
  const preferences = { vendors: { matomo: true, chat: false } };
  await collect(site, "cookies", site.cookies, { accept: true, token: "ann", preferences });
  await collect(site, "processings", site.processing, { accept: true, token: "ann" });
  return { site, url: (await newLink(site, "ann")).url };
}

const readPage = async (url: string): Promise<string> => (await service.fetch(url)).body;
const toText = (body: string): string => body.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const listRequests = (site: Site, token = site.token) =>
  service.fetch(hrefOf("", paths.erasureRequests, { id: site.id }), { token });
const decline = (site: Site, requestId: string, token = site.token) =>
  service.fetch(hrefOf("", paths.erasureRequest, { id: site.id, requestId }), {
    method: "DELETE",
    token,
  });

/** Answers as another person, and returns the URL of their page. */
async function answerAs(site: Site, token: string): Promise<string> {
  await collect(site, "cookies", site.cookies, { token, accept: true });
  return (await newLink(site, token, { token: site.token })).url;
}

/** The number of the project's audit events of a name. */
async function countEvents(site: Site, name: string): Promise<number> {
  const query = `projectId=${site.id}&event=${name}`;
  const { body } = await service.fetch(`/v1/vault/audit?${query}`, { token: site.token });
  return body.items.length;
}

describe("answers on a person's page", () => {
  it("have refusing before accepting, in places that do not change with the answer", async () => {
    const { site, url } = await newPage();
    const listForms = async () =>
      [...(await readPage(url)).matchAll(/<form class="choice"[^>]*>(.*?)<\/form>/gs)].map(
        ([, form = ""]) =>
          [...form.matchAll(/<(?:button|span)[^>]*>([^<]+)</g)].map(([, text]) => text),
      );
    const forms = (await listForms()).map((form) => form.join(" | ")).toSorted();
    assert.deepEqual(forms, [
      "Refuse all | Accept all",
      "Refuse | Accept",
      "Refuse | Accepted",
      "Refuse | Accepted",
      "Refused | Accept",
    ]);
    await post(url, { do: "refuse", identifier: site.processing });
    assert.equal(
      (await listForms()).filter(([refuse]) => refuse === "Refused").length,
      2,
      "a withdrawal keeps both places",
    );
  });
});

describe("a request for erasure", () => {
  it("is confirmed, stored once with its due date, shown to the person, mailed and audited", async () => {
    const { site, url } = await newPage();
    const { email } = (await service.fetch("/v1/auth/me", { token: site.token })).body;
    const asked = await service.fetch(`${url}?erase=ask`);
    assert.match(asked.body, /Ask the site to erase your data\?.*value="request-erasure"/s);
    assert.deepEqual((await listRequests(site)).body.items, [], "the question stores nothing");
    const { status, headers } = await post(url, { do: "request-erasure" });
    assert.equal(status, 303);
    assert.match(headers.get("location") ?? "", /#erasure$/);
    await post(url, { do: "request-erasure" });
    const { items } = (await listRequests(site)).body;
    assert.equal(items.length, 1);
    const [{ token, requestedAt, dueAt }] = items;
    assert.equal(token, "ann");
    const days = (Date.parse(dueAt) - Date.parse(requestedAt)) / 86_400_000;
    assert.ok(days >= 28 && days <= 31, String(days));
    const text = toText(await readPage(url));
    assert.match(text, /You asked for erasure on \d+ \w+ \d{4}\. The site has to answer by/);
    assert.doesNotMatch(text, /Ask for erasure/);
    const mail = await waitForMail(email, /A visitor of .* asked to be erased/);
    assert.doesNotMatch(JSON.stringify(mail), /\bann\b/, "the mail does not name the token");
    assert.equal(await countEvents(site, "erasure.requested"), 1);
  });

  it("is mailed to an owner at once, 20 times in 24 hours at most, and then waits for the daily mail", async () => {
    const { site, url } = await newPage();
    const { email, id } = (await service.fetch("/v1/auth/me", { token: site.token })).body;
    for (let n = 0; n < 21; n += 1) {
      const own = n === 0 ? url : await answerAs(site, `visitor-${n}`);
      assert.equal((await post(own, { do: "request-erasure" })).status, 303);
    }
    await waitForNotifications(site.token, "erasure-requested", 21);
    // A mail that is queued later than those would have been.
    await service.fetch(paths.askReset, { json: { email } });
    await waitForMail(email, /password/i);
    const mails = (await listMails(email)).filter(({ subject = "" }) => /erased/.test(subject));
    assert.equal(mails.length, 20);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM notifications
      WHERE user_id = ${id} AND mail = 'digest'`.execute(service.db);
    assert.equal(rows[0]?.count, 1);
  });

  it("is closed by the erasure of the token, which deletes it", async () => {
    const { site, url } = await newPage();
    await post(url, { do: "request-erasure" });
    const erased = hrefOf("", paths.erasedToken, { projectId: site.id, token: "ann" });
    assert.equal(
      (await service.fetch(erased, { method: "DELETE", token: site.token })).status,
      200,
    );
    assert.deepEqual((await listRequests(site)).body.items, []);
    assert.equal((await service.fetch(url)).status, 404);
  });

  it("is declined by owners only; the page says so, and the person can ask again", async () => {
    const { site, url } = await newPage();
    await post(url, { do: "request-erasure" });
    const [{ id }] = (await listRequests(site)).body.items;
    for (const role of ["editor", "auditor"])
      assert.equal((await decline(site, id, await share(site, role))).status, 403, role);
    const other = await newLiveSite();
    assert.equal((await decline(other, id)).status, 404, "another project's");
    assert.equal((await decline(site, id)).status, 204);
    assert.equal((await decline(site, id)).status, 404, "once");
    assert.match(toText(await readPage(url)), /closed your request on .* without erasing/);
    assert.equal(await countEvents(site, "erasure.declined"), 1);
    await post(url, { do: "request-erasure" });
    assert.equal((await listRequests(site)).body.items.length, 1);
  });
});

describe("the data and links on a person's page", () => {
  it("are downloaded as one file, of this token and project only", async () => {
    const { site, url } = await newPage();
    await collect(site, "processings", site.processing, { accept: true, token: "bob" });
    await post(url, { do: "request-erasure" });
    const { status, body, headers } = await service.fetch(`${url}/data.json`);
    assert.equal(status, 200);
    assert.match(headers.get("content-disposition") ?? "", /attachment/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(body.isComplete, true);
    assert.equal(body.token, "ann");
    assert.equal(body.project.id, site.id);
    assert.equal(body.records.length, 2);
    assert.deepEqual(
      new Set(body.records.map(({ token }: { token: string }) => token)),
      new Set(["ann"]),
    );
    assert.deepEqual(
      body.answers.map(({ status: answer }: { status: string }) => answer).toSorted(),
      ["accepted", "accepted", "refused"],
    );
    assert.equal(body.links.length, 1);
    assert.ok(body.erasureRequest.dueAt);
    assert.equal((await service.fetch(`${url}x/data.json`)).status, 404);
  });

  it("list each address with its origin, and deactivate one or all of this token", async () => {
    const { site, url } = await newPage();
    const mailed = await newLink(site, "ann", { token: site.token });
    const spare = await newLink(site, "ann");
    await collect(site, "processings", site.processing, { accept: true, token: "bob" });
    const bobs = await newLink(site, "bob");
    const text = toText(await readPage(url));
    for (const words of [
      "The address you are using now",
      "Opened from the site",
      "Sent by the site",
    ])
      assert.ok(text.includes(words), words);
    const { status, headers } = await post(url, { do: "end", link: mailed.id });
    assert.equal(status, 303);
    assert.match(headers.get("location") ?? "", /#addresses$/);
    assert.equal((await service.fetch(mailed.url)).status, 404);
    await post(url, { do: "end", link: bobs.id });
    assert.equal((await service.fetch(bobs.url)).status, 200, "another person's stays");
    assert.match((await service.fetch(`${url}?end=all`)).body, /Deactivate all addresses\?/);
    assert.equal((await post(url, { do: "end", link: "all" })).status, 200);
    for (const gone of [url, spare.url]) assert.equal((await service.fetch(gone)).status, 404);
    assert.equal((await service.fetch(bobs.url)).status, 200);
  });
});
