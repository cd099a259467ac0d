import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { type AdminVisit, listFaults, newEmail, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog");

/** An owner of an organization with one project, and of a project outside it. */
async function newOrganization() {
  const owner = await service.newUser();
  const { token } = owner;
  const json = { name: "Hearth & Clay" };
  const { body } = await service.fetch("/v1/vault/organizations", { token, json });
  const id: string = body.id;
  const shop = await service.newProject(token, { title: "Shop", organizationId: id });
  const blog = await service.newProject(token, { title: "Blog" });
  return { owner, token, id, shop, blog, at: `/organizations/${id}` };
}

async function join(company: { id: string; token: string }, role: string) {
  const user = await service.newUser();
  const json = { userId: user.id, roles: [role] };
  const users = `/v1/vault/organizations/${company.id}/users`;
  assert.equal((await service.fetch(users, { token: company.token, json })).status, 200);
  return user;
}

const organizationOf = async (projectId: string, token: string) =>
  (await service.fetch(`/v1/vault/projects/${projectId}`, { token })).body.organizationId ?? null;

async function submit(visit: AdminVisit, name: string): Promise<void> {
  await dialog(visit.page).getByRole("button", { name }).click();
  await dialog(visit.page).waitFor({ state: "detached" });
}

describe("organizations in the admin app", { skip }, async () => {
  const company = await newOrganization();

  for (const given of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: phone }] as const)
    it(`have no axe-core violations on any screen: ${JSON.stringify(given)}`, async () => {
      const nobody = await service.newUser();
      await using empty = await openAs(nobody, "/organizations", given);
      await settle(empty);
      assert.deepEqual(await findViolations(empty.page), [], "no organization");
      await using visit = await openAs(company.owner, "/organizations", given);
      for (const place of [
        "/organizations",
        company.at,
        `${company.at}/team`,
        `${company.at}/plan`,
      ]) {
        await visit.open(place);
        await settle(visit);
        assert.deepEqual(await findViolations(visit.page), [], place);
        const isWide = await visit.page.evaluate(
          "document.documentElement.scrollWidth > document.documentElement.clientWidth",
        );
        assert.equal(isWide, false, `${place} scrolls sideways`);
      }
      assert.deepEqual([...listFaults(empty), ...listFaults(visit)], []);
    });

  it("are created and renamed, get a project of their owner, and release it", async () => {
    const owner = await service.newUser();
    const blog = await service.newProject(owner.token, { title: "Blog" });
    await using visit = await openAs(owner, "/organizations");
    const { page } = visit;
    await heading(page, "Organizations").waitFor();
    await button(page, "New organization").click();
    await button(page, "Create organization").click();
    await page.getByText("Fill in this field.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Clay Ltd");
    await button(page, "Create organization").click();
    await heading(page, "Clay Ltd").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByText("No projects yet.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Clay & Sons");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, "Clay & Sons").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByText("Clay & Sons").waitFor();
    await button(page, "Move a project here").click();
    await submit(visit, "Move project");
    await page.getByText("“Blog” now belongs to the organization.").waitFor();
    assert.equal(await organizationOf(blog.id, owner.token), id);
    await visit.open("/projects");
    const row = page.getByRole("row").filter({ hasText: "Blog" });
    await row.getByRole("link", { name: "Clay & Sons" }).click();
    await heading(page, "Clay & Sons").waitFor();
    await button(page, "Remove Blog").click();
    await submit(visit, "Remove");
    await page.getByText("No projects yet.").waitFor();
    assert.equal(await organizationOf(blog.id, owner.token), null);
    await visit.open("/organizations");
    await page
      .getByRole("row")
      .filter({ hasText: "Clay & Sons" })
      .getByText("0 projects")
      .waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("list the other roles on a project before it is moved in or out", async () => {
    const { token, id, owner, blog, at } = await newOrganization();
    const known = await join({ id, token }, "viewer");
    const stranger = await service.newUser();
    for (const user of [known, stranger]) {
      const json = { userId: user.id, roles: ["editor"] };
      const users = `/v1/vault/projects/${blog.id}/users`;
      assert.equal((await service.fetch(users, { token, json })).status, 200);
      // Opens the project, which shows the user to its members.
      const opened = await service.fetch(`/v1/vault/projects/${blog.id}`, { token: user.token });
      assert.equal(opened.status, 200);
    }
    await using visit = await openAs(owner, at);
    const { page } = visit;
    const keeping = dialog(page).getByText("These people keep their roles on the project itself:");
    await button(page, "Move a project here").click();
    const moved = await keeping.innerText();
    assert.deepEqual(
      [stranger, known, owner].map(({ email }) => moved.includes(email)),
      [true, false, false],
    );
    await submit(visit, "Move project");
    await button(page, "Remove Blog").click();
    const taken = await keeping.innerText();
    assert.deepEqual(
      [stranger, known, owner].map(({ email }) => taken.includes(email)),
      [true, true, false],
    );
    await submit(visit, "Remove");
    assert.equal(await organizationOf(blog.id, token), null);
    await button(page, "Remove Shop").click();
    await dialog(page).getByRole("button", { name: "Remove" }).waitFor();
    await visit.page.waitForLoadState("networkidle");
    assert.equal(await keeping.count(), 0, "no other role on the project");
    assert.deepEqual(listFaults(visit), []);
  });

  it("invite people and cancel invitations; the only owner cannot leave, another can", async () => {
    const { token, id, owner, at } = await newOrganization();
    await using visit = await openAs(owner, `${at}/team`);
    const { page } = visit;
    await heading(page, "Team").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Pending invitations" }).count(), 0);
    const email = newEmail();
    await button(page, "Invite somebody").click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("combobox", { name: "Role", exact: true }).selectOption("editor");
    await submit(visit, "Send the invitation");
    const waiting = page.getByRole("row").filter({ hasText: email });
    await waiting.getByText("Editor").waitFor();
    await button(page, `Withdraw ${email}`).click();
    await submit(visit, "Withdraw");
    await waiting.waitFor({ state: "detached" });
    await button(page, "Leave").click();
    await dialog(page).getByRole("alert").getByText("Make somebody else owner first.").waitFor();
    assert.equal(await dialog(page).getByRole("button", { name: "Leave" }).count(), 0);
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    const other = await join({ id, token }, "owner");
    await page.reload();
    await button(page, "Leave").click();
    await submit(visit, "Leave");
    await heading(page, "Organizations").waitFor();
    await page.getByText("No organization yet").waitFor();
    const users = `/v1/vault/organizations/${id}/users`;
    const { body } = await service.fetch(users, { token: other.token });
    assert.deepEqual(
      body.map(({ userId }: { userId: string }) => userId),
      [other.id],
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("let their owner leave a project, which the owner still sees by the organization", async () => {
    const { owner, token, shop } = await newOrganization();
    await using visit = await openAs(owner, `/projects/${shop.id}/team`);
    await button(visit.page, "Leave").click();
    await submit(visit, "Leave");
    await heading(visit.page, "Projects").waitFor();
    const { body } = await service.fetch(`/v1/vault/projects/${shop.id}/users`, { token });
    assert.deepEqual(
      body.map(({ userId, inheritedFrom }: Record<string, string>) => [userId, !!inheritedFrom]),
      [[owner.id, true]],
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("let an editor only move projects in, and a viewer only look; an auditor and others see nothing", async () => {
    const people = {
      editor: await join(company, "editor"),
      viewer: await join(company, "viewer"),
      auditor: await join(company, "auditor"),
    };
    const offered = async (user: { email: string }) => {
      await using visit = await openAs(user, company.at);
      await settle(visit);
      const { page } = visit;
      const found: string[] = [];
      for (const name of ["Move a project here", "Remove Shop", "Save"])
        if ((await button(page, name).count()) > 0) found.push(name);
      if ((await page.getByRole("link", { name: "Plan and invoices" }).count()) > 0)
        found.push("Plan");
      await visit.open(`${company.at}/team`);
      await settle(visit);
      for (const name of ["Invite somebody", /^Remove/, /^Withdraw/])
        if ((await button(page, name).count()) > 0) found.push(String(name));
      return found;
    };
    assert.deepEqual(await offered(people.editor), ["Move a project here", "Save"]);
    assert.deepEqual(await offered(people.viewer), []);
    await using plan = await openAs(people.editor, `${company.at}/plan`);
    await plan.page.getByText("Your role does not allow this.").waitFor();
    await using auditor = await openAs(people.auditor, company.at);
    await auditor.page.getByText("Your role does not allow this.").waitFor();
    await using stranger = await openAs(await service.newUser(), company.at);
    await stranger.page
      .getByText(/This no longer exists, or you do not have access to it/)
      .waitFor();
    assert.equal(await button(stranger.page, "Try again").count(), 0);
  });

  it("let only their owner, not a project's creator, decide on the roles in a project", async () => {
    const { id: organizationId, owner, token } = await newOrganization();
    const editor = await join({ id: organizationId, token }, "editor");
    const { id } = await service.newProject(editor.token, { organizationId });
    const offered = async (user: { email: string }) => {
      await using visit = await openAs(user, `/projects/${id}/team`);
      const { page } = visit;
      await heading(page, "Team").waitFor();
      await page.getByRole("row").filter({ hasText: editor.email }).waitFor();
      await settle(visit);
      const roles = page.getByRole("combobox", { name: /^Role, / });
      return [await button(page, "Invite somebody").count(), await roles.count()];
    };
    assert.deepEqual(await offered(editor), [0, 0]);
    assert.deepEqual(await offered(owner), [1, 1]);
  });

  it("are deleted by an owner who types the name, once they have no project", async () => {
    const { id, token, shop, owner, at } = await newOrganization();
    const editor = await join({ id, token }, "editor");
    await using other = await openAs(editor, at);
    await settle(other);
    assert.equal(await button(other.page, /^Delete$/).count(), 0);
    await using visit = await openAs(owner, at);
    const { page } = visit;
    await button(page, /^Delete$/).click();
    await dialog(page).getByText("It still has 1 project").waitFor();
    assert.deepEqual(await findViolations(page), []);
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    const patch = { method: "PATCH", token, json: { organizationId: null } };
    await service.fetch(`/v1/vault/projects/${shop.id}`, patch);
    await button(page, /^Delete$/).click();
    await dialog(page).getByLabel("Type the organization’s name to confirm").fill("Hearth");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await dialog(page).getByText("The name does not match.").waitFor();
    await dialog(page).getByLabel("Type the organization’s name to confirm").fill("Hearth & Clay");
    await submit(visit, "Delete");
    await heading(page, "Organizations").waitFor();
    const gone = await service.fetch(`/v1/vault/organizations/${id}`, { token });
    assert.equal(gone.status, 404);
    assert.deepEqual(listFaults(visit), []);
  });

  it("reject a project that the user does not own, with a message", async () => {
    const other = await service.newOwner();
    const mine = await newOrganization();
    const json = { userId: mine.owner.id, roles: ["viewer"] };
    const users = `/v1/vault/projects/${other.project.id}/users`;
    await service.fetch(users, { token: other.token, json });
    await using visit = await openAs(mine.owner, mine.at);
    const { page } = visit;
    await button(page, "Move a project here").click();
    await page
      .getByRole("combobox", { name: "Project", exact: true })
      .selectOption(other.project.id);
    await dialog(page).getByRole("button", { name: "Move project" }).click();
    await dialog(page).getByRole("alert").getByText("Your role does not allow this.").waitFor();
    assert.equal(await organizationOf(other.project.id, other.token), null);
  });
});
