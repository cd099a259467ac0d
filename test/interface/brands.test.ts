import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../harness.ts";
import { waitForMail } from "./mails.ts";
import { newLink, post } from "./persons.ts";
import { newPicture, uploadOne } from "./pictures.ts";
import { collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const { fetch, newUser, newProject } = service;
const newEmail = () => `brand-${crypto.randomUUID()}@example.org`;

async function newAgency(brand: object) {
  const { token } = await newUser();
  const json = { name: "Agency", brand };
  const { status, body } = await fetch("/v1/vault/organizations", { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  const organizationId: string = body.id;
  const project = await newProject(token, { title: "Shop", organizationId });
  return { token, organizationId, project };
}

async function invite(token: string, projectId: string) {
  const email = newEmail();
  const json = { email, data: { collection: "projects", id: projectId } };
  const { status, body } = await fetch("/v1/auth/invitations", { token, json });
  assert.equal(status, 200, JSON.stringify(body));
  return { email, token: body.invitationToken.value as string };
}

describe("the brand of an organization", () => {
  it("names the sender, the address for answers and the footer of mails, whose address stays the service's", async () => {
    const { token, project } = await newAgency({
      name: "Hearth & Clay",
      color: "#7a2e12",
      senderName: "Hearth & Clay Support",
      replyTo: "hello@hearth.example",
      supportEmail: "help@hearth.example",
    });
    const { email } = await invite(token, project.id);
    const mail = await waitForMail(email, /You are invited/);
    const other = await newAgency({});
    const plain = await waitForMail(
      (await invite(other.token, other.project.id)).email,
      /You are invited/,
    );
    assert.equal(mail.from?.address, plain.from?.address);
    assert.equal(mail.from?.name, `Hearth & Clay Support (${plain.from?.name})`);
    assert.deepEqual(
      mail.replyTo?.map(({ address }) => address),
      ["hello@hearth.example"],
    );
    assert.equal(plain.replyTo, undefined);
    assert.match(mail.text ?? "", /^Hearth & Clay\n/);
    assert.match(mail.text ?? "", /Sent for Hearth & Clay by .*Questions: help@hearth\.example/);
    assert.match(mail.html ?? "", /background: #7a2e12/);
    assert.doesNotMatch(plain.text ?? "", /Sent for/);
  });

  it("cannot put a link or a line break into mails by its names", async () => {
    const { token, project } = await newAgency({
      name: "pay.example",
      senderName: "a\r\nBcc: x@evil.example",
    });
    const mail = await waitForMail((await invite(token, project.id)).email, /You are invited/);
    assert.match(mail.text ?? "", /^pay\.\u2060example\n/);
    assert.equal(mail.bcc, undefined);
    assert.match(mail.from?.name ?? "", /^a Bcc:/);
  });

  it("is shown on the person's page with its logo, color and address, under a policy that allows only these", async () => {
    const site = await newLiveSite();
    const { token } = site;
    await collect(site, "cookies", site.cookies, { accept: true, token: "ann" });
    const bytes = await newPicture().png().toBuffer();
    const { id: logo } = await uploadOne(token, { bytes });
    const brand = {
      name: "Hearth <Clay>",
      logo,
      color: "#7a2e12",
      supportEmail: "help@hearth.example",
    };
    const json = { name: "Agency", brand };
    const { body } = await fetch("/v1/vault/organizations", { token, json });
    const organization = `/v1/vault/organizations/${body.id}`;
    const move = { organizationId: body.id };
    await fetch(`/v1/vault/projects/${site.id}`, { method: "PATCH", token, json: move });
    const { url } = await newLink(site, "ann");
    for (const page of [url, `${url}?end=this`, `${url}?erase=1`]) {
      const shown = await fetch(page);
      assert.equal(shown.status, 200);
      assert.match(shown.body, /<strong>Hearth &lt;Clay&gt;<\/strong>/, page);
      assert.match(shown.body, new RegExp(`<img src="/v1/assets/${logo}" alt=""`));
      assert.match(shown.body, /--accent: light-dark\(#7a2e12, #93b4ff\)/);
      const policy = shown.headers.get("content-security-policy") ?? "";
      assert.match(policy, /^default-src 'none'; img-src 'self'; style-src 'sha256-/);
    }
    await fetch(organization, { method: "PATCH", token, json: { brand: null } });
    const plain = await fetch(url);
    assert.doesNotMatch(plain.body, /class="brand"/);
    assert.doesNotMatch(plain.headers.get("content-security-policy") ?? "", /img-src/);
  });

  it("is in the mail about a request for erasure", async () => {
    const site = await newLiveSite();
    const { token } = site;
    const json = {
      name: "Agency",
      brand: { name: "Hearth & Clay", replyTo: "help@hearth.example" },
    };
    const { body } = await fetch("/v1/vault/organizations", { token, json });
    const move = { organizationId: body.id };
    await fetch(`/v1/vault/projects/${site.id}`, { method: "PATCH", token, json: move });
    await collect(site, "cookies", site.cookies, { accept: true, token: "ann" });
    await post((await newLink(site, "ann")).url, { do: "request-erasure" });
    const { email } = (await fetch("/v1/auth/me", { token })).body;
    const mail = await waitForMail(email, /asked to be erased/);
    assert.match(mail.text ?? "", /^Hearth & Clay\n/);
    assert.equal(mail.replyTo?.[0]?.address, "help@hearth.example");
  });

  it("is shown on invitations, and of a project without an organization there is none", async () => {
    const { token, project } = await newAgency({ name: "Hearth & Clay", color: "#7a2e12" });
    const { token: link } = await invite(token, project.id);
    const { body } = await fetch(`/v1/auth/invitations/${link}`);
    assert.deepEqual(body.brand, { name: "Hearth & Clay", color: "#7a2e12" });
    const page = await fetch(`/account/invitation?token=${link}`);
    assert.match(page.body, /<strong>Hearth &amp; Clay<\/strong>/);
    const owner = await service.newOwner();
    const { token: own } = await invite(owner.token, owner.project.id);
    assert.equal((await fetch(`/v1/auth/invitations/${own}`)).body.brand, undefined);
  });

  for (const [title, brand, path] of [
    ["a color without enough contrast to white", { color: "#ffcc00" }, "/brand/color"],
    ["a color that is no #rrggbb", { color: "red" }, "/brand/color"],
    ["a reply address that is none", { replyTo: "a@b\r\nc" }, "/brand/replyTo"],
    [
      "several support addresses",
      { supportEmail: "a@b.example, c@d.example" },
      "/brand/supportEmail",
    ],
    ["a logo by its address", { logo: "https://x.example/a.png" }, "/brand/logo"],
  ] as const)
    it(`rejects ${title}`, async () => {
      const { token } = await newUser();
      const json = { name: "Agency", brand };
      const { status, body } = await fetch("/v1/vault/organizations", { token, json });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, path]);
    });
});
