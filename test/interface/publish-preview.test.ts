import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newSite, publishAndWait } from "./publishing.ts";

const { fetch, newUser } = service;

const preview = (token: string | undefined, projectId: string, documents: object[]) =>
  fetch(`/v1/publish/projects/${projectId}/preview`, {
    ...(token === undefined ? {} : { token }),
    json: { documents },
  });
const welcome = (message: string) => ({ name: "welcome", layout: "welcome", message });

describe("POST /v1/publish/projects/{projectId}/preview", () => {
  it("returns what would be published with drafts in place of stored documents, which stay unchanged", async () => {
    const { token, project, cookies } = await newSite();
    const vendor = { name: "cart", title: "Cart", required: true, type: "advertising" };
    const steps = [
      welcome("<p onclick=x>May <b>we</b>?</p>"),
      { name: "more", layout: "category", vendors: [vendor] },
    ];
    const body = { projectId: project.id, language: "fr", steps };
    const design = { ...project, colors: { main: "rebeccapurple" } };
    const drafts = [
      { id: cookies.id, body },
      { id: project.id, body: design },
    ];
    const { status, body: shown, headers } = await preview(token, project.id, drafts);
    assert.equal(status, 200, JSON.stringify(shown));
    assert.equal(headers.get("cache-control"), "no-store");
    const at = shown.content.cookies.findIndex(
      ({ identifier }: { identifier: string }) => identifier === cookies.id,
    );
    assert.equal(shown.content.cookies[at].steps[0].message, "<p>May <b>we</b>?</p>");
    assert.equal(shown.content.widget.words.fr.acceptAll, "Tout accepter");
    assert.equal(shown.content.widget.theme.main, "#663399");
    const found = shown.findings.find(({ rule }: { rule: string }) => rule === "not-necessary");
    assert.equal(found.path, `/cookies/${at}/steps/1/vendors/0/required`);
    const kept = await fetch(`/v1/vault/cookies/${cookies.id}`, { token });
    assert.deepEqual([kept.body.version, kept.body.steps], [cookies.version, cookies.steps]);
    const jobs = await fetch(`/v1/publish/jobs?projectId=${project.id}`, { token });
    assert.deepEqual(jobs.body, []);
  });

  it("rejects a draft that could not be saved, with every error at its pointer", async () => {
    const { token, project, cookies } = await newSite();
    const steps = [{ ...welcome(""), vendors: [{ name: "a" }], timeout: 3 }];
    const body = { projectId: project.id, steps };
    const answer = await preview(token, project.id, [{ id: cookies.id, body }]);
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ["/documents/0/body/steps/0/vendors", "/documents/0/body/steps/0/timeout"],
    );
    const broken = await preview(token, project.id, [{ id: cookies.id, body: { steps: 3 } }]);
    assert.equal(broken.status, 400, JSON.stringify(broken.body));
  });

  it("rejects drafts of documents outside the project, and hides projects from strangers", async () => {
    const { token, project, cookies } = await newSite();
    const other = await newSite();
    const own = { id: cookies.id, body: { projectId: project.id } };
    const foreign = { id: other.cookies.id, body: { projectId: project.id } };
    const answer = await preview(token, project.id, [own, foreign, own]);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.deepEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ["/documents/1/id", "/documents/2/id"],
    );
    assert.equal((await preview(undefined, project.id, [])).status, 403);
    const stranger = await newUser();
    assert.equal((await preview(stranger.token, project.id, [])).status, 404);
  });

  it("adds new configurations, leaves removed ones out, and returns drafts as they would be stored", async () => {
    const { token, project, cookies } = await newSite();
    const body = { projectId: project.id, name: "news", message: "<p onclick=x>News?</p>" };
    const { status, body: shown } = await fetch(`/v1/publish/projects/${project.id}/preview`, {
      token,
      json: { documents: [{ collection: "processings", body }], removed: [cookies.id] },
    });
    assert.equal(status, 200, JSON.stringify(shown));
    assert.deepEqual(shown.content.cookies, []);
    assert.equal(shown.content.processings[0].name, "news");
    assert.deepEqual(shown.documents, [{ body: { ...body, message: "<p>News?</p>" } }]);
    const forms = await fetch(`/v1/vault/processings?projectId=${project.id}`, { token });
    assert.deepEqual(forms.body, []);
  });

  it("counts the people that a draft asks again", async () => {
    const { token, project, cookies } = await newSite();
    await publishAndWait(token, project.id);
    const consent = await fetch(`/v1/app/consents/${project.id}/cookies/${cookies.id}`, {
      json: { token: "visitor-of-the-preview", accept: true },
    });
    assert.equal(consent.status, 201, JSON.stringify(consent.body));
    const draft = structuredClone(cookies) as unknown as {
      steps: { vendors?: Record<string, unknown>[] }[];
    };
    Object.assign(draft.steps[1]?.vendors?.[0] ?? {}, { type: "advertising" });
    const { body: shown } = await preview(token, project.id, [{ id: cookies.id, body: draft }]);
    assert.equal(shown.asksAgain.tokens, 1, JSON.stringify(shown.asksAgain));
    assert.equal(shown.asksAgain.items[0].name, "Matomo");
    const { body: same } = await preview(token, project.id, [{ id: cookies.id, body: cookies }]);
    assert.equal(same.asksAgain.tokens, 0);
  });

  it("rejects a removed document of another project", async () => {
    const { token, project } = await newSite();
    const other = await newSite();
    const { status, body } = await fetch(`/v1/publish/projects/${project.id}/preview`, {
      token,
      json: { removed: [other.cookies.id] },
    });
    assert.equal(status, 400);
    assert.equal(body.errors[0].path, "/removed/0");
  });
});
