import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { getFile, newCookies, newSite, publish, publishAndWait, waitForJob } from "./publishing.ts";

const { fetch, newUser } = service;

/** A site whose banner has a preselected vendor. */
async function newUnlawfulSite() {
  const site = await newSite();
  const vendors = [{ name: "ads", title: "Ads", checked: true }];
  const steps = [{ name: "ads", layout: "category", vendors }];
  await newCookies(site.token, site.project.id, { name: "ticked", steps });
  return site;
}

describe("errors of the publish check", () => {
  it("stop a strict job at limits, with the rule, the pointer and the advice; the live version stays live", async () => {
    const { token, project } = await newSite();
    const live = await publishAndWait(token, project.id);
    const vendors = [{ name: "ads", title: "Ads", checked: true }];
    const steps = [{ name: "ads", layout: "category", vendors }];
    const { id } = await newCookies(token, project.id, { steps });
    const job = await publishAndWait(token, project.id, { strict: true });
    assert.deepEqual([job.status, job.step], ["Error", "limits"]);
    assert.match(job.message, /finds 1 error: “Ads” is selected in advance\./);
    assert.ok(
      job.message.includes(`(pre-ticked at cookies ${id}/steps/0/vendors/0/checked)`),
      job.message,
    );
    assert.match(job.message, /http\S+\/check\. .*"force": true/);
    assert.equal((await getFile(project.id)).body.hash, live.hash);
    const staged = await publishAndWait(token, project.id, { environment: "staging" });
    assert.equal(staged.status, "Done", "staging is there to be looked at");
    assert.match(staged.steps[1].message, /finds 1 error and/);
  });

  it("are overridden by an owner, which the version records", async () => {
    const { token, project, id } = await newUnlawfulSite();
    const reason = "It is a test page, which our lawyer has seen.";
    const asked = { force: true, reason: ` ${reason} ` };
    const job = await publishAndWait(token, project.id, asked);
    assert.equal(job.status, "Done", job.message);
    assert.equal(job.forced, true);
    assert.deepEqual(job.overridden, { errors: 1, rules: ["pre-ticked"], reason });
    const { body } = await fetch(job.links.versions, { token });
    assert.deepEqual([body[0].overridden, body[0].publishedBy], [job.overridden, id]);
    const lawful = await newSite();
    const needless = await publishAndWait(lawful.token, lawful.project.id, { force: true });
    assert.equal(needless.overridden, undefined, "there was nothing to override");
  });

  it("stop a rollback, too, unless it is forced", async () => {
    const { token, project } = await newUnlawfulSite();
    const first = await publishAndWait(token, project.id, { force: true });
    const { body } = await fetch(first.links.versions, { token });
    await newCookies(token, project.id, { name: "another" });
    await publishAndWait(token, project.id, { force: true });
    const roll = async (json: object) => {
      const asked = await fetch(body[0].links.rollback, { token, json });
      assert.equal(asked.status, 202, JSON.stringify(asked.body));
      return waitForJob(token, asked.body);
    };
    assert.equal((await roll({})).step, "limits");
    const forced = await roll({ force: true });
    assert.deepEqual([forced.status, forced.overridden.errors], ["Done", 1]);
  });

  it("cannot be overridden by editors, and a running job does not count as forced", async () => {
    const { token, project } = await newUnlawfulSite();
    const editor = await newUser();
    await fetch(`/v1/vault/projects/${project.id}/users`, {
      token,
      json: { userId: editor.id, roles: ["editor"] },
    });
    const refused = await publish(editor.token, project.id, { force: true });
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /owner/);
    const [plain, forced] = await Promise.all([
      publish(token, project.id),
      publish(token, project.id, { force: true }),
    ]);
    // In either order: a job without force is never returned for a forced request.
    if (forced.status === 202) assert.equal(forced.body.forced, true);
    else assert.equal(forced.status, 409);
    assert.equal(plain.status, 202);
    for (const force of ["yes", 1, null])
      assert.equal((await publish(token, project.id, { force })).status, 400, String(force));
  });
});
