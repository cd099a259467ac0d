import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newSite } from "../../interface/publishing.ts";
import { findViolations } from "../widget/axe.ts";
import { openPage, skip } from "../widget/browser.ts";
import { listFaults, openAs, settle } from "./visits.ts";

const { fetch } = service;
const screenshots = process.env["REVIEW_SCREENSHOTS"];

async function newReviewedSite() {
  const { token, project, cookies, email } = await newSite();
  const editor = await service.newUser();
  await fetch(`/v1/vault/projects/${project.id}/users`, {
    token,
    json: { userId: editor.id, roles: ["editor"] },
  });
  return { token, projectId: project.id, cookies, owner: { email }, editor };
}

describe("reviews in the admin app", { skip }, () => {
  it("an owner asks for a review, an editor and a lawyer approve the draft, and it is published", async () => {
    const { token, projectId, owner, editor } = await newReviewedSite();
    await using visit = await openAs(owner, `/projects/${projectId}/settings`);
    const { page } = visit;
    await page.getByLabel("Approvals that a publication needs").selectOption("2");
    await page.getByLabel("Approvals by review links count, if the link allows it").check();
    await page.getByRole("button", { name: "Set approvals" }).click();
    await page.getByText("The settings for approvals are saved.").waitFor();

    await visit.open(`/projects/${projectId}/publish`);
    await page.getByText("Approvals: 0 of 2").waitFor();
    assert.ok(await page.getByRole("button", { name: "Publish", exact: true }).isDisabled());
    await page.getByRole("button", { name: "Ask for a review" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Message").fill("Please look at the purposes.");
    await dialog.getByRole("checkbox").first().check();
    await dialog.getByRole("button", { name: "Ask for a review" }).click();
    await page.getByText("Please look at the purposes.").waitFor();

    await page.getByRole("link", { name: "Comments and review links" }).click();
    await page.getByRole("button", { name: "New review link" }).click();
    await dialog.getByLabel("Recipient").fill("Dr. Weber");
    await dialog.getByLabel("Approval counts for the publication").check();
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = (await dialog.locator("pre").innerText()).trim();
    await dialog.getByRole("button", { name: "Done" }).click();
    const links = page.getByRole("table", { name: "Review links" });
    await links.getByRole("rowheader", { name: /^Dr\. Weber/ }).waitFor();

    await using second = await openAs(editor, `/projects/${projectId}/publish`);
    const approve = second.page.getByRole("button", { name: "Approve this draft" });
    await second.page.getByText("Please look at the purposes.").waitFor();
    await approve.first().click();
    await second.page
      .getByRole("dialog")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await second.page.getByText("The draft is approved.").waitFor();
    await second.page.getByText("Approvals: 1 of 2").waitFor();

    await using lawyer = await openPage({ javaScriptEnabled: false });
    await lawyer.page.goto(link);
    await lawyer.page.locator("#decision").getByLabel("Your name").fill("Dr. Ada Weber");
    await lawyer.page.getByRole("button", { name: "Approve…" }).click();
    await lawyer.page.getByRole("button", { name: "Approve", exact: true }).click();
    await lawyer.page.getByText(/^Approved by Dr\. Ada Weber/).waitFor();

    await visit.open(`/projects/${projectId}/publish`);
    await page.getByText("The draft has the approvals it needs.").waitFor();
    await page.getByText("Dr. Ada Weber").waitFor();
    assert.deepEqual(await findViolations(page), []);
    if (screenshots) await page.screenshot({ path: `${screenshots}/publish.png`, fullPage: true });
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Version 1 is live.").waitFor();
    const { body } = await fetch(`/v1/publish/projects/${projectId}/versions`, { token });
    assert.deepEqual(body[0].approval.approvals.map((one: { name: string }) => one.name).length, 2);
    for (const one of [visit, second]) assert.deepEqual(listFaults(one), []);
  });

  it("an approval is void after a change, and an owner publishes without it, with a reason", async () => {
    const { token, projectId, owner, editor, cookies } = await newReviewedSite();
    const settings = { required: 1, approvers: "editors", links: false };
    await fetch(`/v1/reviews/${projectId}/settings`, { method: "PUT", token, json: settings });
    const { body: review } = await fetch(`/v1/reviews/${projectId}`, { token });
    const json = { digest: review.digest, decision: "approved" };
    await fetch(`/v1/reviews/${projectId}/decisions`, { token: editor.token, json });
    await fetch(`/v1/vault/cookies/${cookies.id}`, {
      method: "PATCH",
      token,
      json: { title: "Other" },
    });
    await using visit = await openAs(owner, `/projects/${projectId}/publish`);
    const { page } = visit;
    await page.getByText("Earlier decisions").click();
    await page.getByText("Void: the draft was changed").waitFor();
    if (screenshots) await page.screenshot({ path: `${screenshots}/void.png`, fullPage: true });
    await page.getByRole("button", { name: "Publish without approval" }).click();
    await page.getByLabel("Reason to publish without approval").fill("The deadline is today.");
    await page.getByRole("button", { name: "Publish without approval" }).click();
    await page.getByText("Version 1 is live.").waitFor();
    const { body } = await fetch(`/v1/publish/projects/${projectId}/versions`, { token });
    assert.equal(body[0].approval.bypassed, "The deadline is today.");
  });

  it("comments are written beside the editor, marked at their field, replied to and resolved by keyboard", async () => {
    const { projectId, owner, cookies, token } = await newReviewedSite();
    await using visit = await openAs(owner, `/projects/${projectId}/cookies/${cookies.id}`);
    const { page } = visit;
    await settle(visit);
    const panel = page.locator(".card", {
      has: page.getByRole("heading", { name: "Comments", exact: true }),
    });
    await panel.getByLabel("About").selectOption({ label: "Step Hello › Title" });
    await panel.getByLabel("Comment").fill("Say who asks.");
    await panel.getByRole("button", { name: "Add comment" }).click();
    await panel.getByText("Say who asks.").waitFor();
    await panel.locator("blockquote", { hasText: "Hello" }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const marks = page.getByRole("button", { name: "1 comment" });
    assert.equal(await marks.count(), 2, "of the step and of its field");
    await marks.last().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const focused = "document.activeElement.textContent";
    assert.equal(await page.evaluate(focused), "Edit", "the thread has the focus");
    if (screenshots) await page.screenshot({ path: `${screenshots}/editor.png`, fullPage: true });
    await panel.getByRole("button", { name: "Reply" }).first().press("Enter");
    await panel.getByLabel("Comment").first().fill("We do now.");
    await panel.getByRole("button", { name: "Reply" }).first().press("Enter");
    await panel.getByText("We do now.").waitFor();
    await panel.getByRole("button", { name: "Resolve" }).press("Enter");
    await panel.getByText("There are no open comments.").waitFor();
    await visit.open(`/projects/${projectId}/reviews`);
    await page.getByRole("tab", { name: "Resolved" }).click();
    await page.getByText("Say who asks.").waitFor();
    await page.getByRole("link", { name: "shop-en" }).waitFor();
    if (screenshots) await page.screenshot({ path: `${screenshots}/reviews.png`, fullPage: true });
    const { body } = await fetch(`/v1/reviews/${projectId}/comments`, { token });
    assert.equal(body.items[0].about.pointer, "/steps/0/title");
    assert.deepEqual(listFaults(visit), []);
  });
});
