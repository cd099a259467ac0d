import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { changeProject, newCookies, publish, publishAndWait, waitForJob } from "./publishing.ts";
import { listNotifications, waitForNotifications, waitUntilNotified } from "./notified.ts";
import {
  decide,
  getReview,
  listEvents,
  newReviewLink,
  newTeam,
  requireApprovals,
  review,
} from "./reviewing.ts";
import { listDeliveries, newWebhook, waitUntil } from "./webhooks.ts";

const { fetch } = service;

/** The kinds of a user's notifications, once those of all events before have been made. */
async function listKinds(token: string): Promise<string[]> {
  await waitUntilNotified();
  return (await listNotifications(token)).body.items.map(({ kind }: { kind: string }) => kind);
}

describe("a project that requires approvals", () => {
  it("rejects a publication without them, and publishes after one by another person", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId);
    const refused = await publish(token, projectId);
    assert.equal(refused.status, 409, JSON.stringify(refused.body));
    assert.deepEqual(
      [refused.body.type, refused.body.missingApprovals],
      ["/problems/approval-needed", 1],
    );
    const approved = await decide(editor.token, projectId);
    assert.equal(approved.status, 201, JSON.stringify(approved.body));
    assert.deepEqual([approved.body.isCurrent, approved.body.counts], [true, true]);
    const job = await publishAndWait(token, projectId);
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(
      job.approval.approvals.map((one: { userId: string }) => one.userId),
      [editor.id],
    );
    const { body } = await fetch(job.links.versions, { token });
    assert.deepEqual(body[0].approval, job.approval);
    const events = new Set((await listEvents(token, projectId)).map(({ event }) => event));
    assert.ok(events.has("approval.given") && events.has("review.settings-changed"));
  });

  it("counts no approval by the person who publishes", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId);
    await decide(token, projectId);
    assert.equal((await publish(token, projectId)).status, 409);
    assert.equal((await getReview(token, projectId)).missing, 1);
    assert.equal((await getReview(editor.token, projectId)).missing, 0);
    assert.equal((await publishAndWait(editor.token, projectId)).status, "Done");
  });

  it("requires as many different people as its settings say", async () => {
    const { token, projectId, editor, editor2 } = await newTeam("editor", "editor2");
    await requireApprovals(token, projectId, { required: 2 });
    await decide(editor.token, projectId);
    const again = await decide(editor.token, projectId);
    assert.equal(again.status, 201);
    assert.equal((await publish(token, projectId)).body.missingApprovals, 1);
    await decide(editor2.token, projectId);
    assert.equal((await publishAndWait(token, projectId)).status, "Done");
  });

  it("voids an approval by every change of what would be published, until the draft is the same again", async () => {
    const { token, projectId, editor, cookies } = await newTeam("editor");
    await requireApprovals(token, projectId);
    await decide(editor.token, projectId);
    const patch = (json: object) =>
      fetch(`/v1/vault/cookies/${cookies.id}`, { method: "PATCH", token, json });
    await patch({ message: "<p>Other</p>" });
    const changed = await getReview(token, projectId);
    assert.deepEqual([changed.decisions.length, changed.missing], [0, 1]);
    assert.deepEqual([changed.earlier[0].isCurrent, changed.earlier[0].counts], [false, false]);
    assert.equal((await publish(token, projectId)).status, 409);
    await patch({ message: null });
    const same = await getReview(token, projectId);
    assert.equal(same.missing, 0, JSON.stringify(same));
  });

  it("rejects an approval of a draft that was changed since it was read", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    const { digest } = await getReview(editor.token, projectId);
    await changeProject(token, projectId);
    const late = await decide(editor.token, projectId, { digest });
    assert.equal(late.status, 409);
    assert.match(late.body.detail, /changed since/);
    const unknown = await decide(editor.token, projectId, { digest: "0".repeat(64) });
    assert.equal(unknown.status, 409);
    const invalid = await decide(editor.token, projectId, { digest: "x" });
    assert.equal(invalid.status, 400);
  });

  it("counts no approval by a member who has lost the role since, or was removed", async () => {
    const { token, projectId, editor, editor2 } = await newTeam("editor", "editor2");
    await requireApprovals(token, projectId, { required: 2 });
    await decide(editor.token, projectId);
    await decide(editor2.token, projectId);
    assert.equal((await getReview(token, projectId)).missing, 0);
    const users = `/v1/vault/projects/${projectId}/users`;
    await fetch(users, { token, json: { userId: editor.id, roles: ["viewer"] } });
    assert.equal((await publish(token, projectId)).body.missingApprovals, 1);
    await fetch(`${users}/${editor2.id}`, { method: "DELETE", token });
    assert.equal((await publish(token, projectId)).body.missingApprovals, 2);
  });

  it("lets only owners approve if its settings say so", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId, { approvers: "owners" });
    assert.equal((await getReview(editor.token, projectId)).mayApprove, false);
    assert.equal((await decide(editor.token, projectId)).status, 403);
    assert.equal((await decide(token, projectId)).status, 201);
    assert.equal((await publishAndWait(editor.token, projectId)).status, "Done");
  });

  it("is set by owners only, in a session", async () => {
    const { token, projectId, editor, viewer } = await newTeam("editor", "viewer");
    const set = (by: string) =>
      fetch(review(projectId, "/settings"), {
        method: "PUT",
        token: by,
        json: { required: 0, approvers: "editors", links: true },
      });
    assert.equal((await set(editor.token)).status, 403);
    assert.equal((await decide(viewer.token, projectId)).status, 403);
    const scopes = ["vault:read", "vault:write", "publish:write"];
    const key = await fetch("/v1/auth/tokens", { token, json: { label: "ci", scopes } });
    assert.equal((await set(key.body.token)).status, 403);
    assert.equal((await decide(key.body.token, projectId)).status, 403);
    for (const required of [-1, 3, 1.5, "1"])
      assert.equal(
        (
          await fetch(review(projectId, "/settings"), {
            method: "PUT",
            token,
            json: { required, approvers: "editors", links: false },
          })
        ).status,
        400,
      );
  });

  it("publishes to staging without approval", async () => {
    const { token, projectId } = await newTeam();
    await requireApprovals(token, projectId);
    const job = await publishAndWait(token, projectId, { environment: "staging" });
    assert.equal(job.status, "Done", job.message);
    assert.equal(job.approval, undefined);
  });

  it("publishes without approval on an owner's word, with the reason in the version and the trail", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId);
    const reason = "The regulator's deadline is today.";
    const asked = { withoutApproval: true, reason };
    assert.equal((await publish(editor.token, projectId, asked)).status, 403);
    assert.equal((await publish(token, projectId, { withoutApproval: true })).status, 400);
    const scopes = ["publish:read", "publish:write"];
    const key = await fetch("/v1/auth/tokens", { token, json: { label: "ci", scopes } });
    assert.equal((await publish(key.body.token, projectId, asked)).status, 403);
    assert.equal((await publish(key.body.token, projectId)).status, 409);
    const job = await publishAndWait(token, projectId, asked);
    assert.equal(job.status, "Done", job.message);
    assert.equal(job.approval.bypassed, reason);
    const requested = (await listEvents(token, projectId)).find(
      ({ event }) => event === "publish.requested",
    );
    assert.deepEqual(
      [requested?.details["withoutApproval"], requested?.details["reason"]],
      [true, reason],
    );
  });

  it("publishes a part of an approved draft, and rejects a part of another", async () => {
    const { token, projectId, editor, cookies } = await newTeam("editor");
    const other = await newCookies(token, projectId, { name: "other" });
    await requireApprovals(token, projectId);
    assert.equal((await publish(token, projectId, { cookies: [cookies.id] })).status, 409);
    await decide(editor.token, projectId);
    const job = await publishAndWait(token, projectId, { cookies: [cookies.id] });
    assert.equal(job.status, "Done", job.message);
    await fetch(`/v1/vault/cookies/${other.id}`, {
      method: "PATCH",
      token,
      json: { message: "<p>New</p>" },
    });
    assert.equal((await publish(token, projectId, { cookies: [cookies.id] })).status, 409);
  });

  it("rolls back to an approved version, and to no other", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await publishAndWait(token, projectId);
    await requireApprovals(token, projectId);
    await changeProject(token, projectId);
    await decide(editor.token, projectId);
    const approved = await publishAndWait(token, projectId);
    await changeProject(token, projectId);
    const bypass = { withoutApproval: true, reason: "Now" };
    await publishAndWait(token, projectId, bypass);
    const roll = (version: number, json: object = {}) =>
      fetch(`/v1/publish/projects/${projectId}/versions/${version}/rollback`, { token, json });
    const rejected = await roll(1);
    assert.deepEqual([rejected.status, rejected.body.type], [409, "/problems/approval-needed"]);
    const asked = await roll(approved.version);
    assert.equal(asked.status, 202, JSON.stringify(asked.body));
    const job = await waitForJob(token, asked.body);
    assert.equal(job.status, "Done", job.message);
    assert.deepEqual(job.approval, approved.approval);
    assert.equal((await roll(3)).status, 409, "a bypass is no approval");
    assert.equal((await roll(1, bypass)).status, 202);
  });

  it("fails a scheduled publication whose draft was changed after its approval", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId);
    const publishAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
    assert.equal((await publish(token, projectId, { publishAt })).status, 409);
    await decide(editor.token, projectId);
    const asked = await publish(token, projectId, { publishAt });
    assert.equal(asked.status, 202, JSON.stringify(asked.body));
    await changeProject(token, projectId);
    service.clock.advance(61_000);
    const { resumeJobs } = await import("../../packages/server/modules/publish/jobs/jobs.ts");
    const { openPublishing } = await import("./stepwise.ts");
    const { runJob } = await import("../../packages/server/modules/publish/jobs/run.ts");
    const publishing = openPublishing();
    await resumeJobs(publishing, service.clock.now());
    await runJob(publishing, asked.body.id, { isLast: true });
    const job = await waitForJob(token, asked.body);
    service.clock.reset();
    assert.deepEqual([job.status, job.step], ["Error", "bundle"]);
    assert.match(job.message, /0 of 1 approvals/);
  });

  it("publishes only the approved content if an edit comes between the request and its job", async () => {
    const { token, projectId, editor, cookies } = await newTeam("editor");
    await requireApprovals(token, projectId);
    for (let round = 0; round < 4; round += 1) {
      await decide(editor.token, projectId);
      const message = `<p>${round}</p>`;
      const [asked] = await Promise.all([
        publish(token, projectId),
        fetch(`/v1/vault/cookies/${cookies.id}`, { method: "PATCH", token, json: { message } }),
      ]);
      if (asked.status === 409) continue;
      assert.equal(asked.status, 202, JSON.stringify(asked.body));
      const job = await waitForJob(token, asked.body);
      if (job.status === "Done") {
        const { body } = await fetch(job.url);
        assert.notEqual(body.cookies[0].message, message, "the edit was not approved");
      } else assert.match(job.message, /approvals/);
    }
  });

  it("withdraws an approval: one's own, and any for owners", async () => {
    const { token, projectId, editor, editor2 } = await newTeam("editor", "editor2");
    await requireApprovals(token, projectId);
    const { body } = await decide(editor.token, projectId);
    const withdraw = (by: string) =>
      fetch(review(projectId, `/decisions/${body.id}`), { method: "DELETE", token: by });
    assert.equal((await withdraw(editor2.token)).status, 403);
    assert.equal((await withdraw(editor.token)).status, 204);
    assert.equal((await withdraw(editor.token)).status, 204);
    const events = (await listEvents(token, projectId)).map(({ event }) => event);
    assert.equal(events.filter((event) => event === "approval.withdrawn").length, 1);
    assert.equal((await publish(token, projectId)).status, 409);
    const second = await decide(editor.token, projectId);
    const path = review(projectId, `/decisions/${second.body.id}`);
    assert.equal((await fetch(path, { method: "DELETE", token })).status, 204);
    const other = await newTeam();
    const foreign = review(other.projectId, `/decisions/${second.body.id}`);
    assert.equal((await fetch(foreign, { method: "DELETE", token: other.token })).status, 404);
  });

  it("has changes requested with a comment, which takes an approval back", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    await requireApprovals(token, projectId);
    await decide(editor.token, projectId);
    const empty = await decide(editor.token, projectId, { decision: "changes-requested" });
    assert.equal(empty.status, 400);
    const json = { decision: "changes-requested", text: "The purpose is missing." };
    const { status, body } = await decide(editor.token, projectId, json);
    assert.equal(status, 201, JSON.stringify(body));
    const state = await getReview(token, projectId);
    assert.deepEqual(
      [state.missing, state.decisions.length, state.decisions[0].decision, state.openThreads],
      [1, 1, "changes-requested", 1],
    );
    assert.equal(state.earlier[0].decision, "approved");
    const listed = await fetch(review(projectId, "/decisions?limit=1"), { token });
    assert.equal(listed.body.items.length, 1);
    assert.ok(listed.body.links.next);
  });

  it("asks members for a review, which the trail records", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    const request = (json: object) => fetch(review(projectId, "/requests"), { token, json });
    const { status, body } = await request({ message: "Please", reviewers: [editor.id] });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.isCurrent, body.reviewers], [true, [editor.id]]);
    const [event] = await listEvents(token, projectId);
    assert.deepEqual(
      [event?.event, event?.details["reviewers"]],
      ["review.requested", [editor.id]],
    );
    await changeProject(token, projectId);
    assert.equal((await getReview(token, projectId)).request.isCurrent, false);
    const stranger = await service.newUser();
    assert.equal((await request({ reviewers: [stranger.id] })).status, 400);
  });

  it("notifies the members who were asked for a review, or editors if none was", async () => {
    const { token, projectId, editor, viewer, editor2 } = await newTeam(
      "editor",
      "viewer",
      "editor2",
    );
    const request = (json: object) => fetch(review(projectId, "/requests"), { token, json });
    assert.equal((await request({ reviewers: [viewer.id] })).status, 201);
    const [asked] = await waitForNotifications(viewer.token, "review-requested");
    assert.match(asked?.text ?? "", /asks for a review of/);
    assert.ok(!(await listKinds(editor.token)).includes("review-requested"), "was not asked");
    assert.equal((await request({ reviewers: [] })).status, 201);
    for (const one of [editor, editor2])
      assert.equal((await waitForNotifications(one.token, "review-requested")).length, 1);
    assert.equal((await waitForNotifications(viewer.token, "review-requested")).length, 1);
    const users = `/v1/vault/projects/${projectId}/users`;
    assert.equal((await request({ reviewers: [viewer.id, editor2.id] })).status, 201);
    await fetch(`${users}/${viewer.id}`, { method: "DELETE", token });
    assert.equal((await waitForNotifications(editor2.token, "review-requested", 2)).length, 2);
    assert.ok(!(await listKinds(viewer.token)).includes("review-requested"), "a removed member");
  });

  it("notifies editors of requested changes, and withdrawn ones are no withdrawn approval", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    const json = { decision: "changes-requested", text: "The purpose is missing." };
    const { body } = await decide(editor.token, projectId, json);
    const [item] = await waitForNotifications(token, "changes-requested");
    assert.match(item?.text ?? "", /requested changes to the draft of/);
    const withdraw = (id: string) =>
      fetch(review(projectId, `/decisions/${id}`), { method: "DELETE", token: editor.token });
    assert.equal((await withdraw(body.id)).status, 204);
    assert.ok(!(await listKinds(token)).includes("approval-withdrawn"));
    const approved = await decide(editor.token, projectId);
    assert.equal((await withdraw(approved.body.id)).status, 204);
    await waitForNotifications(token, "approval-withdrawn");
  });

  it("delivers requested changes to webhooks", async () => {
    const { token, projectId, editor } = await newTeam("editor");
    const url = "https://hooks.example/avow";
    const events = ["review.changes-requested"];
    const { id } = await newWebhook(token, { url, events, projectId });
    const json = { decision: "changes-requested", text: "The purpose is missing." };
    assert.equal((await decide(editor.token, projectId, json)).status, 201);
    const [delivery] = await waitUntil(
      () => listDeliveries(token, id),
      (items) => items.length > 0,
    );
    assert.equal(delivery.event, "review.changes-requested");
  });

  it("names the holder of a review link in notifications", async () => {
    const { token, projectId } = await newTeam();
    await requireApprovals(token, projectId, { links: true });
    const link = await newReviewLink(token, projectId, { mayApprove: true });
    const { digest } = await getReview(token, projectId);
    const form = { do: "approve", name: "Dr. Weber", digest, confirmed: "yes" };
    assert.equal((await fetch(link.path, { form })).status, 303);
    const [item] = await waitForNotifications(token, "approval-given");
    assert.match(item?.text ?? "", /^The holder of a review link approved the draft of/);
  });

  it("is not found by others", async () => {
    const { projectId } = await newTeam();
    const stranger = await service.newUser();
    const { token } = stranger;
    const digest = "0".repeat(64);
    const json = { digest, decision: "approved", recipient: "x", required: 0, approvers: "owners" };
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", "/settings"],
      ["POST", "/requests"],
      ["GET", "/decisions"],
      ["POST", "/decisions"],
      ["GET", "/links"],
      ["POST", "/links"],
    ] as const) {
      const answer = await fetch(review(projectId, path), {
        method,
        token,
        ...(method === "GET" ? {} : { json: { ...json, links: false } }),
      });
      assert.equal(answer.status, 404, `${method} ${path} ${JSON.stringify(answer.body)}`);
    }
  });
});
