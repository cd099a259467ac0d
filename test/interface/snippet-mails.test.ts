import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { waitForMail } from "./mails.ts";
import { newCookies, publishAndWait } from "./publishing.ts";

const { fetch, newUser, newProject } = service;

async function newLiveProject() {
  const user = await newUser();
  const project = await newProject(user.token, { title: "Shop <b>https://evil.example</b>" });
  const steps = [
    { name: "welcome", layout: "welcome", title: "Hello" },
    {
      name: "maps",
      layout: "category",
      vendors: [{ name: "maps", title: "Maps", hosts: ["maps.example.org"] }],
    },
  ];
  await newCookies(user.token, project.id, { steps });
  const published = await publishAndWait(user.token, project.id);
  assert.equal(published.status, "Done", JSON.stringify(published));
  return { ...user, project, url: `/v1/publish/projects/${project.id}/snippet-mails` };
}

describe("mails with the snippet", () => {
  it("hand the line over in the sender's language, without links of the sender", async () => {
    const { token, project, url } = await newLiveProject();
    const email = `developer-${project.id}@example.org`;
    const headers = { "accept-language": "fr" };
    const sent = await fetch(url, { token, json: { email }, headers });
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    const { text = "" } = await waitForMail(email, /Ajouter le bandeau/);
    assert.ok(text.includes(`widget.js" data-project="${project.id}" async></script>`));
    const block = text.match(/<script src="([^"]+\.block\.js)" data-block="auto"><\/script>/)?.[1];
    assert.equal((await fetch(block ?? "")).status, 200);
    assert.ok(!text.includes("evil.example"), text);
  });

  it("are rejected for a project that is not live, a foreign project and an invalid address", async () => {
    const { token, url } = await newLiveProject();
    for (const email of ["nobody", "a@b\r\nBcc: c@example.org", `${"a".repeat(260)}@example.org`])
      assert.equal((await fetch(url, { token, json: { email } })).status, 400, email);
    const json = { email: "developer@example.org" };
    assert.equal((await fetch(url, { json })).status, 403);
    assert.equal((await fetch(url, { token: (await newUser()).token, json })).status, 404);
    const draft = await newProject(token);
    const early = `/v1/publish/projects/${draft.id}/snippet-mails`;
    assert.equal((await fetch(early, { token, json })).status, 409);
  });

  it("are limited for each address", async () => {
    const { token, project, url } = await newLiveProject();
    const json = { email: `limited-${project.id}@example.org` };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await fetch(url, { token, json })).status);
    assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429]);
  });

  it("are sent once for an idempotency key", async () => {
    const { token, project, url } = await newLiveProject();
    const json = { email: `once-${project.id}@example.org` };
    const headers = { "idempotency-key": `snippet-${project.id}` };
    const first = await fetch(url, { token, json, headers });
    const again = await fetch(url, { token, json, headers });
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
  });
});
