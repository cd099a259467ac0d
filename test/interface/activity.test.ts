import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { decide, newTeam, review } from "./reviewing.ts";
import { newSite, publish, share } from "./site.ts";

const read = (token: string, query: Record<string, string>): Promise<TestAnswer> =>
  service.fetch(`${paths.activity}?${new URLSearchParams(query).toString()}`, { token });

async function readMe(token: string): Promise<{ id: string; name: string }> {
  const { body } = await service.fetch("/v1/auth/me", { token });
  return { id: body.id, name: body.displayName };
}

describe("the activity of a project", () => {
  it("names people and documents, and attributes a publication to its requester", async () => {
    const site = await newSite();
    await publish(site);
    const { status, body } = await read(site.token, { projectId: site.id });
    assert.equal(status, 200, JSON.stringify(body));
    const actor = await readMe(site.token);
    const [done, updated, ...created] = body.items;
    assert.deepEqual([done.event, done.actor, done.details.version], ["publish.done", actor, 1]);
    assert.deepEqual([updated.event, updated.document.resource], ["project.updated", "projects"]);
    assert.match(updated.document.title, /^Shop/);
    assert.deepEqual(created.at(-1).event, "project.created");
    const contract = created.find((one: { document: { id: string } }) =>
      [site.contract].includes(one.document.id),
    );
    assert.deepEqual(contract.document, {
      id: site.contract,
      resource: "contracts",
      title: "Terms of sale",
    });
  });

  it("is for members who may read; auditors are forbidden, strangers get 404", async () => {
    const site = await newSite();
    for (const role of ["owner", "editor", "viewer"])
      assert.equal((await read(await share(site, role), { projectId: site.id })).status, 200);
    assert.equal((await read(await share(site, "auditor"), { projectId: site.id })).status, 403);
    const other = await newSite();
    assert.equal((await read(other.token, { projectId: site.id })).status, 404);
    assert.equal((await service.fetch(`${paths.activity}?projectId=${site.id}`)).status, 403);
  });

  it("has no networks, addresses, sessions, nor events about keys, links and webhooks", async () => {
    const site = await newSite();
    const url = "https://hooks.example/secret";
    const json = { url, events: ["publish.done"], projectId: site.id };
    await service.fetch("/v1/webhooks", { token: site.token, json });
    const editor = await share(site, "editor");
    const { body } = await read(editor, { projectId: site.id });
    const text = JSON.stringify(body.items);
    assert.doesNotMatch(text, /network|tokenId|127\.0\.0|@|webhook|hooks\.example/);
    const { email } = (await service.fetch("/v1/auth/me", { token: site.token })).body;
    assert.ok(!text.includes(email));
  });

  it("hides the name of a member who was added by id and has not opened the project", async () => {
    const site = await newSite();
    const token = await share(site, "editor");
    const member = await readMe(token);
    const query = { projectId: site.id, kind: "people" };
    const [before] = (await read(site.token, query)).body.items;
    assert.deepEqual(before.member, { id: member.id });
    assert.deepEqual(before.details, { roles: ["editor"] });
    await read(token, query);
    const [opened] = (await read(site.token, query)).body.items;
    assert.deepEqual(opened.member, member);
  });

  it("has requests of changes and their withdrawal, with the decision", async () => {
    const { token, projectId } = await newTeam();
    const json = { decision: "changes-requested", text: "The purpose is missing." };
    const { body: decision } = await decide(token, projectId, json);
    await service.fetch(review(projectId, `/decisions/${decision.id}`), {
      method: "DELETE",
      token,
    });
    const { body } = await read(token, { projectId, kind: "reviews" });
    const events = body.items.map(({ event, details }: { event: string; details: object }) => [
      event,
      details,
    ]);
    assert.deepEqual(events.slice(0, 2), [
      ["approval.withdrawn", { decision: "changes-requested" }],
      ["review.changes-requested", {}],
    ]);
  });

  it("is filtered by kind and person, and paged by cursor", async () => {
    const site = await newSite();
    const editor = await share(site, "editor");
    await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
      method: "PATCH",
      token: editor,
      json: { title: "Changed" },
    });
    await publish(site);
    const { id } = await readMe(editor);
    const ofEditor = await read(site.token, { projectId: site.id, person: id });
    assert.deepEqual(
      ofEditor.body.items.map(({ event }: { event: string }) => event),
      ["configuration.updated"],
    );
    const ofOwner = await read(site.token, {
      projectId: site.id,
      person: site.userId,
      kind: "publications",
    });
    assert.equal(ofOwner.body.items[0].event, "publish.done");
    const whole = await read(site.token, { projectId: site.id });
    const paged: string[] = [];
    for (let href: string | undefined = `${paths.activity}?projectId=${site.id}&limit=2`; href;) {
      const page: TestAnswer = await service.fetch(href, { token: site.token });
      assert.ok(page.body.items.length <= 2);
      paged.push(...page.body.items.map((one: { id: string }) => one.id));
      href = page.body.links.next;
    }
    assert.deepEqual(
      paged,
      whole.body.items.map((one: { id: string }) => one.id),
    );
    for (const query of [{ kind: "keys" }, { cursor: "x" }, { limit: "0" }])
      assert.equal((await read(site.token, { projectId: site.id, ...query })).status, 400);
  });
});
