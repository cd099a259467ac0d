import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { changeProject, publish, publishAndWait } from "./publishing.ts";
import {
  decide,
  getReview,
  listEvents,
  newReviewLink,
  newTeam,
  requireApprovals,
  review,
} from "./reviewing.ts";

const { fetch } = service;
const counting = { required: 1, links: true };

/** A team whose project counts approvals by links, and a link for a lawyer. */
async function newReviewed(given: object = {}) {
  const team = await newTeam("editor");
  await requireApprovals(team.token, team.projectId, counting);
  const link = await newReviewLink(team.token, team.projectId, { mayApprove: true, ...given });
  return { ...team, link };
}

const send = (path: string, form: Record<string, string>) =>
  fetch(path, { method: "POST", form, headers: { "accept-language": "en" } });

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

describe("review links", () => {
  it("are created by editors, returned once with their address, and listed with their last use", async () => {
    const { token, projectId, editor, viewer } = await newTeam("editor", "viewer");
    const link = await newReviewLink(editor.token, projectId, { days: 3 });
    assert.match(link.secret, /^[\w-]{43}$/);
    const days = (Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 86_400_000;
    assert.deepEqual([days, link.mayComment, link.mayApprove], [3, true, false]);
    assert.equal((await fetch(link.path)).status, 200);
    const list = await fetch(review(projectId, "/links"), { token });
    assert.equal(list.body.items.length, 1);
    assert.ok(list.body.items[0].usedAt);
    assert.ok(!JSON.stringify(list.body).includes(link.secret));
    assert.ok(!JSON.stringify(await listEvents(token, projectId)).includes(link.secret));
    const stored = await service.db.selectFrom("review_links").selectAll().execute();
    assert.ok(!JSON.stringify(stored).includes(link.secret));
    const denied = await fetch(review(projectId, "/links"), { token: viewer.token });
    assert.equal(denied.status, 403);
  });

  it("approve only if an owner creates them, in a project that counts them", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    const create = (by: string, json: object) =>
      fetch(review(projectId, "/links"), { token: by, json: { recipient: "Dr. W", ...json } });
    assert.equal((await create(token, { mayApprove: true })).status, 409);
    await requireApprovals(token, projectId, counting);
    assert.equal((await create(editor.token, { mayApprove: true })).status, 403);
    assert.equal((await create(token, { mayApprove: true })).status, 201);
    for (const json of [{ days: 0 }, { days: 91 }, { recipient: "" }, { recipient: " \n" }])
      assert.equal((await create(token, json)).status, 400, JSON.stringify(json));
    const key = await fetch("/v1/auth/tokens", {
      token,
      json: { label: "ci", scopes: ["vault:write", "vault:read"] },
    });
    assert.equal((await create(key.body.token, {})).status, 403);
  });

  it("are at most 50 valid ones of a project", async () => {
    const { token, projectId } = await newTeam();
    for (let n = 0; n < 50; n += 1) await newReviewLink(token, projectId);
    const json = { recipient: "One more" };
    const beyond = await fetch(review(projectId, "/links"), { token, json });
    assert.equal(beyond.status, 409);
    const { body } = await fetch(review(projectId, "/links?limit=30"), { token });
    assert.deepEqual([body.items.length, typeof body.links.next], [30, "string"]);
  });

  it("are gone once expired or revoked, as unknown ones are, in any language", async () => {
    const { token, projectId, link } = await newReviewed();
    const short = await newReviewLink(token, projectId, { days: 1 });
    await fetch(review(projectId, `/links/${link.id}`), { method: "DELETE", token });
    const french = { "accept-language": "fr" };
    const revoked = await fetch(link.path, { headers: french });
    assert.equal(revoked.status, 404);
    assert.match(revoked.body, /n’existe pas/);
    service.clock.advance(86_400_001);
    assert.equal((await fetch(short.path)).status, 404);
    service.clock.reset();
    assert.equal((await fetch(`/review/${"A".repeat(43)}`)).status, 404);
    assert.equal((await fetch(`/review/${"A".repeat(200)}`)).status, 404);
    const other = await newTeam();
    const foreign = review(other.projectId, `/links/${short.id}`);
    assert.equal((await fetch(foreign, { method: "DELETE", token: other.token })).status, 404);
  });
});

describe("GET /review/{token}", () => {
  it("shows the live version, the changes in words, the findings, and every text", async () => {
    const { token, projectId, cookies, link } = await newReviewed();
    const bypass = { withoutApproval: true, reason: "First" };
    await publishAndWait(token, projectId, bypass);
    await fetch(`/v1/vault/cookies/${cookies.id}`, {
      method: "PATCH",
      token,
      json: {
        steps: [
          {
            name: "welcome",
            layout: "welcome",
            title: "Bonsoir",
            message: "<p>New & <b>x</b></p>",
          },
          {
            name: "ads",
            layout: "category",
            vendors: [{ name: "ads", title: "Ads", checked: true }],
          },
        ],
      },
    });
    const { status, body } = await fetch(link.path, { headers: { "accept-language": "en" } });
    assert.equal(status, 200);
    const text = textOf(body);
    for (const words of [
      /Review of Shop/,
      /for Dr\. Weber to review, until \d+ \w+ \d{4}/,
      /Version 1 is live since/,
      /vendor “Ads” is new/,
      /“Ads” is selected in advance/,
      /Title Bonsoir/,
      /Message New &amp; x/,
      /Your approval counts for the publication/,
    ])
      assert.match(text, words);
    const french = await fetch(link.path, { headers: { "accept-language": "fr" } });
    assert.match(textOf(french.body), /Relecture de .* Nouveau service .*Ads/);
    assert.match(french.body, /<html lang="fr">/);
    assert.match(textOf(french.body), /présélectionné|coché|activé/);
  });

  it("is protected from caches, indexes, frames, referrers and other origins", async () => {
    const { link } = await newReviewed();
    const { headers, body } = await fetch(link.path);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'.*frame-src 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    assert.doesNotMatch(body, /(?:src|href)="(?:https?:)?\/\//);
  });

  it("shows texts as text, also in the data of its script", async () => {
    const { token, projectId, link } = await newReviewed();
    const title = "</script><script>alert(1)</script>";
    await fetch(`/v1/vault/projects/${projectId}`, { method: "PATCH", token, json: { title } });
    await fetch(review(projectId, "/comments"), { token, json: { text: "<img src=x>" } });
    const { body } = await fetch(link.path);
    assert.doesNotMatch(body, /<script>alert|<img/);
    assert.match(body, /&lt;img src=x&gt;/);
  });

  it("does not show the addresses of members", async () => {
    const { id, token, projectId, link } = await newReviewed();
    const named = service.db.updateTable("users").set({ display_name: "" });
    await named.where("id", "=", id).execute();
    await fetch(review(projectId, "/comments"), { token, json: { text: "Hello" } });
    const { body } = await fetch(link.path, { headers: { "accept-language": "en" } });
    assert.match(body, /A member of the project/);
    assert.doesNotMatch(body, /user-\w+@/);
  });

  it("limits the guesses of tokens, and the reads of a link", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => fetch(`/review/guess-${n}`)),
    );
    const statuses = new Set(guesses.map(({ status }) => status));
    assert.ok(statuses.has(429), [...statuses].join());
    const { link } = await newReviewed();
    const last = [];
    for (let n = 0; n < 32; n += 1) last.push((await fetch(link.path)).status);
    assert.deepEqual([last[0], last.at(-1)], [200, 429]);
  });
});

describe("POST /review/{token}", () => {
  it("approves exactly the draft on the page, after a confirmation, by the name that is given", async () => {
    const { token, projectId, link } = await newReviewed();
    const { digest } = await getReview(token, projectId);
    const form = { do: "approve", name: "Dr. Ada Weber", digest };
    const asked = await send(link.path, form);
    assert.equal(asked.status, 200);
    assert.match(asked.body, /Approve this draft\?/);
    assert.equal((await getReview(token, projectId)).missing, 1, "nothing is recorded yet");
    const confirmed = { ...form, confirmed: "yes" };
    const done = await send(link.path, confirmed);
    assert.equal(done.status, 303);
    const [first] = await listEvents(token, projectId);
    assert.deepEqual(
      [first?.event, first?.actor.id, first?.details["linkId"]],
      ["approval.given", "review-link", link.id],
    );
    const page = await fetch(done.headers.get("location") ?? "");
    assert.match(textOf(page.body), /Approved by Dr\. Ada Weber/);
    const job = await publishAndWait(token, projectId);
    assert.equal(job.status, "Done", job.message);
    const [given] = job.approval.approvals;
    assert.deepEqual([given.name, given.linkId], ["Dr. Ada Weber", link.id]);
    await changeProject(token, projectId);
    assert.match(textOf((await fetch(link.path)).body), /last decision, which is void/);
    const late = await send(link.path, confirmed);
    assert.equal(late.status, 409);
    assert.match(late.body, /draft was changed/);
  });

  it("counts once for one link, and not after its revocation, or for a link that may not approve", async () => {
    const { token, projectId, link } = await newReviewed();
    await requireApprovals(token, projectId, { required: 2, links: true });
    const { digest } = await getReview(token, projectId);
    const approve = (path: string, name: string) =>
      send(path, { do: "approve", name, digest, confirmed: "yes" });
    await approve(link.path, "One");
    await approve(link.path, "Two");
    assert.equal((await getReview(token, projectId)).missing, 1);
    const advisory = await newReviewLink(token, projectId);
    assert.match((await fetch(advisory.path)).body, /does not replace/);
    await approve(advisory.path, "Three");
    const state = await getReview(token, projectId);
    assert.deepEqual([state.missing, state.decisions.length], [1, 2]);
    await fetch(review(projectId, `/links/${link.id}`), { method: "DELETE", token });
    assert.equal((await getReview(token, projectId)).missing, 2);
    assert.equal((await publish(token, projectId)).body.missingApprovals, 2);
  });

  it("stops to count approvals by links once the project's settings exclude them", async () => {
    const { token, projectId, link } = await newReviewed();
    const { digest } = await getReview(token, projectId);
    await send(link.path, { do: "approve", name: "Ada", digest, confirmed: "yes" });
    assert.equal((await getReview(token, projectId)).missing, 0);
    await requireApprovals(token, projectId, { required: 1, links: false });
    assert.equal((await getReview(token, projectId)).missing, 1);
  });

  it("asks for changes with a comment, and withdraws only the link's own decision", async () => {
    const { token, projectId, editor, link } = await newReviewed();
    const { digest } = await getReview(token, projectId);
    const form = { do: "request-changes", name: "Ada", digest, confirmed: "yes" };
    assert.equal((await send(link.path, form)).status, 400);
    assert.equal((await send(link.path, { ...form, text: "No purpose." })).status, 303);
    const own = (await getReview(token, projectId)).decisions[0];
    assert.equal(own.decision, "changes-requested");
    const { body: other } = await decide(editor.token, projectId);
    const withdraw = (decision: string) => send(link.path, { do: "withdraw", decision });
    assert.equal((await withdraw(other.id)).status, 404);
    assert.equal((await withdraw(own.id)).status, 303);
    const left = (await getReview(token, projectId)).decisions;
    assert.deepEqual(
      left.map((one: { id: string }) => one.id),
      [other.id],
    );
  });

  it("comments on a place in the draft, and replies, under the name that is given", async () => {
    const { token, projectId, cookies, link } = await newReviewed();
    const form = { do: "comment", name: "Ada", text: "Why?\r\nSay so." };
    const about = { configuration: cookies.id, pointer: "/steps/0" };
    assert.equal((await send(link.path, { ...form, ...about })).status, 303);
    const { body } = await fetch(review(projectId, "/comments"), { token });
    const [thread] = body.items;
    assert.deepEqual(thread.about, {
      configurationId: cookies.id,
      pointer: "/steps/0",
      excerpt: "Hello",
    });
    assert.deepEqual(thread.author, { kind: "link", id: link.id, name: "Ada" });
    assert.equal(thread.text, "Why?\nSay so.");
    const reply = { do: "reply", thread: thread.id, name: "Ada", text: "Done" };
    assert.equal((await send(link.path, reply)).status, 303);
    const other = await newReviewed();
    assert.equal((await send(other.link.path, reply)).status, 404);
    const foreign = { ...form, configuration: other.cookies.id };
    assert.equal((await send(link.path, foreign)).status, 400);
  });

  it("rejects comments by a link that may not comment, invalid forms, and too many acts", async () => {
    const { link } = await newReviewed({ mayComment: false });
    const page = await fetch(link.path);
    assert.doesNotMatch(page.body, /value="comment"/);
    const form = { do: "comment", name: "Ada", text: "Hi" };
    assert.equal((await send(link.path, form)).status, 403);
    for (const wrong of [{ do: "publish" }, { do: "approve", name: "", digest: "x" }, {}])
      assert.equal((await send(link.path, wrong as Record<string, string>)).status, 400);
    const json = await fetch(link.path, { method: "POST", json: form });
    assert.equal(json.status, 415);
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await send(link.path, form)).status);
    assert.equal(statuses.at(-1), 429);
  });
});
