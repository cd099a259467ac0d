import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { newCookies, newSite, publishAndWait, subscribe } from "./publishing.ts";

const { fetch, newUser } = service;

const read = (token: string, projectId: string) =>
  fetch(`/v1/publish/projects/${projectId}/check`, { token });

describe("GET /v1/publish/projects/{projectId}/check", () => {
  it("returns each problem with pointer, reason and source until it is fixed; nothing is published", async () => {
    const { token, project, cookies } = await newSite();
    const vendor = { name: "matomo", title: "Matomo", shortDescription: "Counts visits." };
    const steps = (vendors: object[]) => [
      { name: "welcome", layout: "welcome", message: "<p>Cookies?</p>" },
      { name: "analytics", layout: "category", title: "Analytics", vendors },
    ];
    const write = (vendors: object[]) =>
      fetch(`/v1/vault/cookies/${cookies.id}`, {
        token,
        method: "PATCH",
        json: { steps: steps(vendors) },
      });
    await write([vendor, { name: "cart", title: "Cart", required: true, type: "advertising" }]);
    const { status, body, headers } = await read(token, project.id);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("cache-control"), "no-store");
    const at = body.findings.findIndex(({ rule }: { rule: string }) => rule === "vendor-policy");
    assert.match(body.findings[at].path, /^\/cookies\/\d\/steps\/1\/vendors\/0\/policyUrl$/);
    assert.equal(body.findings[at].message, "“Matomo” has no privacy policy.");
    const rulesOf = ({ findings }: { findings: { rule: string }[] }) =>
      [...new Set(findings.map(({ rule }) => rule))].toSorted();
    const fixable = ["not-necessary", "unclear-vendor", "vendor-policy"];
    assert.deepEqual(
      rulesOf(body).filter((rule) => fixable.includes(rule)),
      fixable,
    );
    const whole = { ...vendor, policyUrl: "https://matomo.org/privacy-policy/" };
    await write([whole]);
    const fixed = await read(token, project.id);
    assert.deepEqual(
      rulesOf(fixed.body).filter((rule) => fixable.includes(rule)),
      [],
    );
    const jobs = await fetch(`/v1/publish/jobs?projectId=${project.id}`, { token });
    assert.deepEqual(jobs.body, []);
  });

  it("checks the languages that the project declares for its website", async () => {
    const { token, project } = await newSite();
    const languages = async () => {
      const { body } = await read(token, project.id);
      const of = body.findings.filter(({ rule }: { rule: string }) => rule === "translation");
      return of.map(({ path, message }: Record<string, string>) => [path, message]);
    };
    assert.deepEqual(await languages(), []);
    const json = { locales: ["en", "fr"] };
    await fetch(`/v1/vault/projects/${project.id}`, { token, method: "PATCH", json });
    const message = "No cookie configuration is in “fr”, a language of the website.";
    assert.deepEqual(await languages(), [["/cookies", message]]);
  });

  it("reports what the plan does not allow, and the job's step reports the number", async () => {
    const { token, project } = await newSite();
    const job = await publishAndWait(token, project.id);
    const limits = job.steps.find(({ name }: { name: string }) => name === "limits");
    assert.match(
      limits.message,
      /publish check finds \d+ errors? and \d+ warnings?: http.*\/check\.$/,
    );
    const { errors, warnings } = (await read(token, project.id)).body;
    assert.ok(limits.message.includes(`${errors} error`), limits.message);
    assert.ok(limits.message.includes(`${warnings} warning`), limits.message);
  });

  it("says what the plan does not allow any more", async () => {
    const { token, project, organization } = await newSite({ organization: true });
    await subscribe(organization, "active");
    await newCookies(token, project.id, { steps: [{ name: "news", layout: "info" }] });
    const plansOf = async () => {
      const { body } = await read(token, project.id);
      const of = body.findings.filter(({ rule }: { rule: string }) => rule === "plan");
      return of.map(({ severity, message }: Record<string, string>) => [severity, message]);
    };
    assert.deepEqual(await plansOf(), []);
    await subscribe(organization, "canceled");
    const [[severity, message] = []] = await plansOf();
    assert.equal(severity, "error");
    assert.match(message, /info \(step news of/);
  });

  it("is for readers of the project only", async () => {
    const { token, project } = await newSite();
    const viewer = await newUser();
    const stranger = await newUser();
    const added = await fetch(`/v1/vault/projects/${project.id}/users`, {
      token,
      json: { email: viewer.email, roles: ["viewer"] },
    });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    assert.equal((await read(viewer.token, project.id)).status, 200);
    assert.equal((await read(stranger.token, project.id)).status, 404);
    assert.equal((await fetch(`/v1/publish/projects/${project.id}/check`)).status, 403);
    assert.equal((await read(token, "0123456789abcdef01234567")).status, 404);
  });
});
