import assert from "node:assert/strict";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";
import { create } from "./site.ts";

const { fetch } = service;

const steps = [
  { name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>" },
  { name: "stats", layout: "category", vendors: [{ name: "matomo", title: "Matomo" }] },
];

export interface Template {
  token: string;
  userId: string;
  email: string;
  organizationId: string;
  id: string;
  cookies: string;
  processing: string;
}

/** An organization with a template: a banner with an open message, and a consent form. */
export async function newTemplate(project: object = {}): Promise<Template> {
  const { token, id: userId, email } = await service.newUser();
  const organizationId = await create(token, "organizations", { name: "Agency" });
  const json = { organizationId, isTemplate: true, title: "House style", ...project };
  const { id } = await service.newProject(token, json);
  const cookies = await create(token, "cookies", {
    projectId: id,
    name: "banner",
    language: "en",
    steps,
    openFields: ["/steps/welcome/message", "/settings/pages"],
  });
  const processing = await create(token, "processings", {
    projectId: id,
    name: "news",
    title: "Newsletter",
    purpose: "Send news",
    accept: "I want the news",
    consentWithdraw: "Write to us",
    storageDuration: 12,
    processors: [{ name: "Mailer", role: "sends" }],
    personalDataTypes: ["email"],
  });
  return { token, userId, email, organizationId, id, cookies, processing };
}

let sites = 0;

export async function newTemplateSite(template: Template, fields: object = {}): Promise<string> {
  sites += 1;
  return create(template.token, "projects", {
    title: `Site ${sites}`,
    websiteURL: `https://site-${sites}.example`,
    organizationId: template.organizationId,
    templateId: template.id,
    ...fields,
  });
}

export async function read(token: string, path: string) {
  const { status, body } = await fetch(path, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The one document of a project and a resource. */
export async function only(token: string, resource: string, projectId: string) {
  const found = await read(token, `/v1/vault/${resource}?projectId=${projectId}`);
  assert.equal(found.length, 1, resource);
  return found[0];
}

export function patch(token: string, path: string, json: object) {
  return fetch(`/v1/vault/${path}`, { method: "PATCH", token, json });
}

export async function change(token: string, path: string, json: object) {
  const { status, body } = await patch(token, path, json);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export interface TemplatePublication {
  id: string;
  status: string;
  total: number;
  ended: number;
  counts: Record<string, number>;
  links: { self: string; sites: string };
}

/** Publishes the sites of a template, and waits until the publication has ended. */
export async function publishSites(
  { token, id }: Pick<Template, "token" | "id">,
  json: object = {},
): Promise<TemplatePublication> {
  const path = `/v1/publish/templates/${id}/publications`;
  const { status, body } = await fetch(path, { token, json });
  assert.equal(status, 202, JSON.stringify(body));
  return waitForPublication(token, body);
}

export function waitForPublication(
  token: string,
  { links }: { links: { self: string } },
): Promise<TemplatePublication> {
  return poll({
    read: () => read(token, links.self),
    isRight: ({ status }) => status === "Done" || status === "Cancelled",
    waitMs: 120_000,
    toMessage: (last) => `the publication does not end: ${JSON.stringify(last)}`,
  });
}
