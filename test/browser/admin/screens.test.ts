import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip, waitUntilTrue } from "../widget/browser.ts";
import { listFaults, newEmail, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** A user with a live project that has changes, and an empty one. */
async function newProjects() {
  const owner = await service.newUser();
  const { token } = owner;
  const live = await service.newProject(token, { title: "Live shop" });
  const empty = await service.newProject(token, { title: "Empty shop" });
  const vendor = { name: "matomo", title: "Matomo", type: "analytics" };
  const steps = [{ name: "one", layout: "category", title: "Reason", vendors: [vendor] }];
  const json = { projectId: live.id, name: "banner", language: "en", steps };
  const banner = await service.fetch("/v1/vault/cookies", { token, json });
  await publish(live.id, token);
  const changed = [{ ...steps[0], title: "Why not" }];
  await service.fetch(`/v1/vault/cookies/${banner.body.id}`, {
    method: "PATCH",
    token,
    json: { steps: changed },
  });
  return { owner, live, empty };
}

async function publish(projectId: string, token: string): Promise<void> {
  const at = `/v1/publish/jobs/${projectId}`;
  await service.fetch(at, { method: "POST", token });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const { body } = await service.fetch(at, { token });
    if (body.status === "Done") return;
    assert.notEqual(body.status, "Error", body.message);
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail("The publication timed out.");
}

describe("the screens of the admin app", { skip }, async () => {
  const { owner, live, empty } = await newProjects();
  const at = `/projects/${live.id}`;

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`have no axe-core violations: ${JSON.stringify(given)}`, async () => {
      await using visit = await openAs(owner, "/projects", { ...given, reducedMotion: "reduce" });
      const screens = ["/projects", "/projects/new", at, `/projects/${empty.id}`, `${at}/start`];
      for (const place of [...screens, `${at}/publish`, `${at}/team`, "/account", "/nowhere"]) {
        await visit.open(place);
        await settle(visit);
        assert.deepEqual(await findViolations(visit.page), [], place);
        const isWide = await visit.page.evaluate(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        assert.equal(isWide, false, `${place} scrolls sideways`);
      }
      assert.deepEqual(listFaults(visit), []);
    });

  it("the list shows live versions and later changes, and links to the project", async () => {
    await using visit = await openAs(owner, "/projects");
    const { page } = visit;
    const row = page.getByRole("row").filter({ hasText: "Live shop" });
    await row.getByText("1 unpublished").waitFor();
    const other = page.getByRole("row").filter({ hasText: "Empty shop" });
    await other.getByText("nothing live yet").waitFor();
    await row.getByRole("link", { name: "Live shop" }).click();
    await heading(page, "Live shop").waitFor();
    await waitUntilTrue(page, "document.title === 'Live shop · Avow'");
    await page.locator(".change-group").filter({ hasText: "Reason" }).first().waitFor();
    await page.goBack();
    await heading(page, "Projects").waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("publishing shows its six steps and the re-consent, and restores an earlier version", async () => {
    const work = await newProjects();
    await using visit = await openAs(work.owner, `/projects/${work.live.id}/publish`);
    const { page } = visit;
    await page.locator(".change-group").filter({ hasText: "Reason" }).first().waitFor();
    await page.getByText(/No acceptance ends/).waitFor();
    await page.getByText(/“Matomo” has no privacy policy/).click();
    await page
      .getByText(/CNIL 2020-092/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Version 2 is live.").waitFor();
    assert.equal(await page.locator(".steps .done").count(), 6);
    await page.getByText("Nothing has changed since then.").waitFor();
    await button(page, "Changes 2").click();
    await page
      .getByRole("dialog")
      .locator(".change-group")
      .filter({ hasText: "Reason" })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "Roll back 1").click();
    await button(page, "Roll back to version 1").click();
    await page.getByText("Version 3 is live.").waitFor();
    const { body } = await service.fetch(`/cdn/${work.live.id}.json`);
    assert.deepEqual([body.version, body.cookies[0].steps[0].title], [3, "Reason"]);
    assert.deepEqual(listFaults(visit), []);
  });

  it("errors of the check are shown, and only the owner can publish despite them", async () => {
    const work = await newProjects();
    const { token } = work.owner;
    const colors = { text: "#eeeeee", background: "#ffffff" };
    const change = { method: "PATCH", token, json: { colors } };
    await service.fetch(`/v1/vault/projects/${work.live.id}`, change);
    await service.fetch(`/v1/publish/jobs/${work.live.id}`, { method: "POST", token });
    await using home = await openAs(work.owner, `/projects/${work.live.id}`);
    await home.page.getByText("The last publication failed").waitFor();
    await home.page.getByText("The live version has not changed.").waitFor();
    const editor = await service.newUser();
    const role = { userId: editor.id, roles: ["editor"] };
    await service.fetch(`/v1/vault/projects/${work.live.id}/users`, { token, json: role });
    const place = `/projects/${work.live.id}/publish`;
    await using theirs = await openAs(editor, place);
    await theirs.page.getByText(/Fix the errors first/).waitFor();
    assert.equal(await button(theirs.page, /^Publish( later…| despite.*)?$/).count(), 1);
    assert.ok(await button(theirs.page, /^Publish$/).isDisabled());
    await using visit = await openAs(work.owner, place);
    await visit.page.getByText("1 error").first().waitFor();
    await visit.page.getByLabel("Reason for overriding the errors").fill("It is a test.");
    await button(visit.page, "Publish despite errors").click();
    await visit.page.getByText(/^Version \d+ is live/).waitFor();
  });

  it("a team is invited, changed and left", async () => {
    const work = await newProjects();
    const other = await service.newUser();
    const json = { userId: other.id, roles: ["viewer"] };
    const users = `/v1/vault/projects/${work.live.id}/users`;
    await service.fetch(users, { token: work.owner.token, json });
    await using visit = await openAs(work.owner, `/projects/${work.live.id}/team`);
    const { page } = visit;
    const email = newEmail();
    await button(page, "Invite somebody").click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("combobox", { name: "Role", exact: true }).selectOption("editor");
    await button(page, "Send the invitation").click();
    await page.getByText(`The invitation to ${email} is on its way.`).waitFor();
    // The other user has not opened the project, so only the id is shown.
    const name = other.id;
    await page.getByRole("row").filter({ hasText: name }).getByText("has not opened it").waitFor();
    assert.equal(await page.getByText(other.email).count(), 0);
    const changed = page.waitForResponse(
      (response) => response.request().method() !== "GET" && response.url().includes(users),
    );
    await page.getByLabel(`Role, ${name}`).selectOption("auditor");
    await changed;
    const read = async () => (await service.fetch(users, { token: work.owner.token })).body;
    const roles = (await read()).map((one: { roles: string[] }) => one.roles[0]);
    assert.deepEqual(roles.toSorted(), ["auditor", "owner"]);
    const undone = page.waitForResponse(
      (response) => response.request().method() !== "GET" && response.url().includes(users),
    );
    await button(page, "Undo").click();
    await undone;
    await page.getByText("Undone.").waitFor();
    const before = (await read()).map((one: { roles: string[] }) => one.roles[0]);
    assert.deepEqual(before.toSorted(), ["owner", "viewer"]);
    const waiting = page.getByRole("row").filter({ hasText: email });
    await waiting.getByText("Editor").waitFor();
    // The only owner cannot leave, with an explanation.
    await button(page, "Leave").click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await button(page, `Remove ${name}`).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await read()).length, 1);
    assert.deepEqual(listFaults(visit), []);
  });

  it("a user who was added by id leaves from the list of projects, without being shown", async () => {
    const adder = await service.newOwner();
    const guest = await service.newUser();
    const users = `/v1/vault/projects/${adder.project.id}/users`;
    const add = () =>
      service.fetch(users, { token: adder.token, json: { userId: guest.id, roles: ["viewer"] } });
    const readCard = async () =>
      (await service.fetch(users, { token: adder.token })).body.find(
        ({ id }: { id: string }) => id === guest.id,
      );
    await add();
    await using visit = await openAs(guest, "/projects");
    const { page } = visit;
    await page.getByRole("heading", { name: "You were added" }).waitFor();
    await page.getByRole("row").filter({ hasText: "shop.example" }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal((await readCard()).displayName, null, "the list makes no request to the project");
    assert.deepEqual(await findViolations(page), []);
    await button(page, "Leave Shop").click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByText("You are no longer a member.").waitFor();
    await page.getByText("Create your first project").waitFor();
    assert.equal(await readCard(), undefined);
    await add();
    await page.reload();
    await page.getByRole("link", { name: "Open “Shop”" }).click();
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal((await readCard()).email, guest.email);
    await visit.open("/projects");
    await page.getByRole("link", { name: "Shop", exact: true }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "You were added" }).count(), 0);
    assert.deepEqual(listFaults(visit), []);
  });

  it("an invitation over the daily mail limit shows a working link instead", async () => {
    const work = await newProjects();
    const email = newEmail();
    for (let inviter = 0; inviter < 4; inviter += 1) {
      const { token, project } = await service.newOwner();
      const json = { email, data: { collection: "projects", id: project.id } };
      for (let count = 0; count < 5; count += 1)
        assert.equal((await service.fetch("/v1/auth/invitations", { token, json })).status, 200);
    }
    await using visit = await openAs(work.owner, `/projects/${work.live.id}/team`);
    const { page } = visit;
    await button(page, "Invite somebody").click();
    await page.getByLabel("E-mail address").fill(email);
    await button(page, "Send the invitation").click();
    const dialog = page.getByRole("dialog", { name: "Not e-mailed: share the link yourself" });
    const link = await dialog.getByLabel("Invitation link").innerText();
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row").filter({ hasText: email }).waitFor();
    await page.goto(link);
    await page.getByRole("heading", { level: 1, name: "You are invited" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("sessions end, keys are created, shown once and revoked, and the password is changed", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/account");
    const { page } = visit;
    await button(page, "End all others").click();
    await page.getByText("All other sessions have ended.").waitFor();
    assert.equal((await service.fetch("/v1/auth/me", { token: user.token })).status, 403);
    await button(page, "New API key").click();
    await page.getByLabel("Purpose").fill("Nightly");
    await button(page, "Create key").click();
    await page.getByText("Choose at least one scope.").waitFor();
    await page.getByLabel("vault:read").check();
    await button(page, "Create key").click();
    const key = await page.getByRole("dialog").locator("code").innerText();
    assert.equal((await service.fetch("/v1/vault/projects", { token: key })).status, 200);
    await button(page, "I have copied it").click();
    await button(page, "Revoke Nightly").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No API keys yet.").waitFor();
    assert.equal((await service.fetch("/v1/vault/projects", { token: key })).status, 403);
    await page.getByLabel("Name").fill("Camille");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: "Camille" }).waitFor();
    await page.getByLabel("Current password").fill("correct horse");
    await page.getByLabel("New password").fill("another horse");
    await button(page, "Change password").click();
    await page.getByText(/The password is changed/).waitFor();
    assert.equal(await page.getByLabel("Current password").inputValue(), "");
    assert.deepEqual(listFaults(visit), []);
  });

  it("a viewer changes nothing; an auditor and others see that they are not allowed", async () => {
    const people = { viewer: await service.newUser(), auditor: await service.newUser() };
    for (const [role, { id }] of Object.entries(people)) {
      const json = { userId: id, roles: [role] };
      const given = { token: owner.token, json };
      await service.fetch(`/v1/vault/projects/${live.id}/users`, given);
    }
    await using visit = await openAs(people.viewer, at);
    await heading(visit.page, "Live shop").waitFor();
    for (const place of [at, `${at}/publish`, `${at}/team`]) {
      await visit.open(place);
      await settle(visit);
      const names = /Publish|Review and publish|Invite|Remove|Roll back/;
      assert.equal(
        await visit.page.getByRole("main").getByRole("button", { name: names }).count(),
        0,
      );
      assert.equal(
        await visit.page.getByRole("main").getByRole("link", { name: names }).count(),
        0,
      );
    }
    await using auditor = await openAs(people.auditor, at);
    await auditor.page.getByRole("heading", { name: "Available to you" }).waitFor();
    await auditor.open(`${at}/publish`);
    await auditor.page.getByText(/Your role does not allow this/).waitFor();
    await using stranger = await openAs(await service.newUser(), at);
    await heading(stranger.page, "Project not found").waitFor();
    assert.equal(await button(stranger.page, "Try again").count(), 0);
  });

  it("errors of the service are shown, and can be retried", async () => {
    await using visit = await openAs(owner, "/projects/new");
    const { page } = visit;
    await page.route("**/v1/vault/projects?*", (route) => route.abort());
    const side = page.getByRole("navigation", { name: "Main" });
    await side.getByRole("link", { name: "Projects" }).click();
    await page.getByText(/The service cannot be reached/).waitFor();
    await page.unroute("**/v1/vault/projects?*");
    await button(page, "Try again").click();
    await page.getByRole("link", { name: "Live shop" }).waitFor();
  });

  it("no request goes to other hosts, and files are cached permanently", async () => {
    await using visit = await openAs(owner, at);
    await settle(visit);
    const hosts = visit.requests.map((request) => new URL(request.split(" ")[1] ?? "").origin);
    assert.deepEqual([...new Set(hosts)], [service.url]);
    const page = await service.fetch("/admin");
    const [, file = ""] = /src="([^"]+\.js)"/.exec(page.body) ?? [];
    const script = await service.fetch(file, { headers: { "accept-encoding": "br" } });
    assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(script.headers.get("content-encoding"), "br");
    assert.equal((await service.fetch("/admin/files/none.js")).status, 404);
  });
});
