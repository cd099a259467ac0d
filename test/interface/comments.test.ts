import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runReviewHousekeeping } from "../../packages/server/modules/reviews/housekeeping.ts";
import { service } from "../harness.ts";
import { listEvents, newTeam, review } from "./reviewing.ts";

const { fetch, newUser } = service;

const comment = (token: string, projectId: string, json: object) =>
  fetch(review(projectId, "/comments"), { token, json });

const list = async (token: string, projectId: string, query = "") => {
  const { status, body } = await fetch(review(projectId, `/comments${query}`), { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe("comments on a draft", () => {
  it("are written by every member who reads the project, viewers as well, and have replies", async () => {
    const { token, projectId, viewer, cookies } = await newTeam("viewer");
    const about = { configurationId: cookies.id, pointer: "/steps/0/title", excerpt: "Hello" };
    const json = { text: "  Too short.\r\nSay why.\u0007 ", about };
    const { status, body } = await comment(viewer.token, projectId, json);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.text, body.about], ["Too short.\nSay why.", about]);
    assert.deepEqual([body.author.kind, body.author.id], ["member", viewer.id]);
    const path = review(projectId, `/comments/${body.id}/replies`);
    const reply = await fetch(path, { token, json: { text: "Done." } });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    const { items } = await list(token, projectId);
    assert.deepEqual(
      items[0].replies.map((one: { text: string }) => one.text),
      ["Done."],
    );
    const nested = review(projectId, `/comments/${reply.body.id}/replies`);
    assert.equal((await fetch(nested, { token, json: { text: "No." } })).status, 404);
    const [second, first] = await listEvents(token, projectId);
    assert.deepEqual([first?.event, second?.event], ["comment.created", "comment.created"]);
    assert.equal(JSON.stringify([first, second]).includes("Too short"), false);
  });

  it("survive the edit and the deletion of what they are about", async () => {
    const { token, projectId, cookies } = await newTeam();
    const about = { configurationId: cookies.id, pointer: "/title", excerpt: "Hello" };
    await comment(token, projectId, { text: "Hm", about });
    await fetch(`/v1/vault/cookies/${cookies.id}`, { token, method: "DELETE" });
    assert.deepEqual((await list(token, projectId)).items[0].about, about);
  });

  it("are edited by their author for 15 minutes", async () => {
    const { token, projectId, viewer } = await newTeam("viewer");
    const { body } = await comment(viewer.token, projectId, { text: "Frist" });
    const edit = (by: string, json: object) =>
      fetch(review(projectId, `/comments/${body.id}`), { method: "PATCH", token: by, json });
    assert.equal((await edit(token, { text: "No" })).status, 403);
    const edited = await edit(viewer.token, { text: "First" });
    assert.deepEqual([edited.status, edited.body.text], [200, "First"]);
    assert.ok(edited.body.editedAt);
    service.clock.advance(16 * 60_000);
    assert.equal((await edit(viewer.token, { text: "Late" })).status, 409);
    const remove = (by: string) =>
      fetch(review(projectId, `/comments/${body.id}`), { method: "DELETE", token: by });
    assert.equal((await remove(viewer.token)).status, 409);
    assert.equal((await remove(token)).status, 204, "owners delete every comment");
    assert.deepEqual((await list(token, projectId)).items, []);
    service.clock.reset();
  });

  it("are resolved and opened again, and listed by that", async () => {
    const { token, projectId, viewer } = await newTeam("viewer");
    const { body } = await comment(token, projectId, { text: "Logo?" });
    await comment(token, projectId, { text: "Colour?" });
    const set = (resolved: boolean) =>
      fetch(review(projectId, `/comments/${body.id}`), {
        method: "PATCH",
        token: viewer.token,
        json: { resolved },
      });
    assert.ok((await set(true)).body.resolvedAt);
    assert.equal((await set(true)).status, 200);
    const events = (await listEvents(token, projectId)).map(({ event }) => event);
    assert.equal(events.filter((event) => event === "comment.resolved").length, 1);
    assert.deepEqual(
      (await list(token, projectId, "?status=open")).items.map((one: { text: string }) => one.text),
      ["Colour?"],
    );
    assert.equal((await list(token, projectId, "?status=resolved")).items.length, 1);
    assert.equal((await set(false)).body.resolvedAt, null);
  });

  it("are listed in pages, newest first, and by configuration", async () => {
    const { token, projectId, cookies } = await newTeam();
    for (let n = 0; n < 5; n += 1)
      await comment(token, projectId, {
        text: String(n),
        ...(n === 2 ? { about: { configurationId: cookies.id } } : {}),
      });
    const seen: string[] = [];
    let path: string | undefined = review(projectId, "/comments?limit=2");
    while (path) {
      const { body }: { body: { items: { text: string }[]; links: { next?: string } } } =
        await fetch(path, { token });
      seen.push(...body.items.map(({ text }) => text));
      path = body.links.next;
    }
    assert.deepEqual(seen.toSorted(), ["0", "1", "2", "3", "4"]);
    const own = await list(token, projectId, `?configurationId=${cookies.id}`);
    assert.deepEqual([own.items.length, own.items[0].text], [1, "2"]);
    const wrong = await fetch(review(projectId, "/comments?cursor=WyJhIiwiYiJd"), { token });
    assert.equal(wrong.status, 400);
  });

  it("show the author without a name after the account was deleted", async () => {
    const { token, projectId, viewer } = await newTeam("viewer");
    await comment(viewer.token, projectId, { text: "Bye" });
    await service.db.deleteFrom("users").where("id", "=", viewer.id).execute();
    const { items } = await list(token, projectId);
    assert.deepEqual(items[0].author, { kind: "member", id: viewer.id, name: null });
  });

  it("are deleted 90 days after their project", async () => {
    const { token, projectId } = await newTeam();
    await comment(token, projectId, { text: "Old" });
    await fetch(review(projectId, "/links"), { token, json: { recipient: "Dr. Weber" } });
    await fetch(`/v1/vault/projects/${projectId}`, { token, method: "DELETE" });
    const count = async (daysLater: number) => {
      const now = () => new Date(service.clock.now().getTime() + daysLater * 86_400_000);
      await runReviewHousekeeping({ db: service.db, now });
      const rows = service.db.selectFrom("review_comments").select("id");
      return (await rows.where("project_id", "=", projectId).execute()).length;
    };
    assert.deepEqual([await count(89), await count(91)], [1, 0]);
  });

  it("are rejected if empty, too long, or about another project's configuration", async () => {
    const { token, projectId } = await newTeam();
    const other = await newTeam();
    for (const json of [
      { text: "" },
      { text: " \u0000\n" },
      { text: "x".repeat(5_001) },
      { text: "x", about: { configurationId: other.cookies.id } },
      { text: "x", about: { configurationId: "x" } },
      {},
    ])
      assert.equal((await comment(token, projectId, json)).status, 400, JSON.stringify(json));
  });

  it("are hidden from others, auditors and the members of other projects", async () => {
    const { token, projectId, auditor } = await newTeam("auditor");
    const { body } = await comment(token, projectId, { text: "Private" });
    const stranger = await newUser();
    const other = await newTeam();
    for (const by of [stranger, other]) {
      assert.equal((await comment(by.token, projectId, { text: "x" })).status, 404);
      const read = await fetch(review(projectId, "/comments"), { token: by.token });
      assert.equal(read.status, 404);
    }
    assert.equal((await comment(auditor.token, projectId, { text: "x" })).status, 403);
    // By the id of another project, a comment does not exist.
    const foreign = review(other.projectId, `/comments/${body.id}`);
    const json = { resolved: true };
    assert.equal((await fetch(foreign, { method: "PATCH", token: other.token, json })).status, 404);
    assert.equal((await fetch(review(projectId, "/comments"), {})).status, 403);
  });

  it("are created once for an Idempotency-Key", async () => {
    const { token, projectId } = await newTeam();
    const send = () =>
      fetch(review(projectId, "/comments"), {
        token,
        json: { text: "Once" },
        headers: { "idempotency-key": "a comment" },
      });
    const [one, two] = [await send(), await send()];
    assert.equal(one.body.id, two.body.id);
    assert.equal((await list(token, projectId)).items.length, 1);
  });
});
