import assert from "node:assert/strict";
import { service } from "../harness.ts";
import { newSite } from "./publishing.ts";

const { fetch, newUser } = service;

interface Person {
  id: string;
  token: string;
}

/** A site with an owner, and one member of each of these roles. */
export async function newTeam<R extends string>(...roles: R[]) {
  const site = await newSite();
  const members = {} as Record<R, Person>;
  for (const role of roles) members[role] = await addMember(site, role.replace(/\d$/, ""));
  return { ...site, projectId: site.project.id, ...members };
}

/** Adds a member, whose name the others see. */
async function addMember(
  site: { token: string; project: { id: string } },
  role: string,
): Promise<Person> {
  const { id, token } = await newUser();
  const path = `/v1/vault/projects/${site.project.id}`;
  const json = { userId: id, roles: [role] };
  const { status, body } = await fetch(`${path}/users`, { token: site.token, json });
  assert.equal(status, 200, JSON.stringify(body));
  return { id, token };
}

export const review = (projectId: string, path = "") => `/v1/reviews/${projectId}${path}`;

/** The state of a draft's review. */
export async function getReview(token: string, projectId: string) {
  const { status, body } = await fetch(review(projectId), { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Has publications require approvals. */
export async function requireApprovals(token: string, projectId: string, settings: object = {}) {
  const json = { required: 1, approvers: "editors", links: false, ...settings };
  const { status, body } = await fetch(review(projectId, "/settings"), {
    method: "PUT",
    token,
    json,
  });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Approves the draft as it is now, or the one of `digest`. */
export async function decide(token: string, projectId: string, given: object = {}) {
  const { digest } = await getReview(token, projectId);
  const json = { digest, decision: "approved", ...given };
  return fetch(review(projectId, "/decisions"), { token, json });
}

/** Creates a review link, and returns it with its token. */
export async function newReviewLink(token: string, projectId: string, given: object = {}) {
  const json = { recipient: "Dr. Weber", ...given };
  const { status, body } = await fetch(review(projectId, "/links"), { token, json });
  assert.equal(status, 201, JSON.stringify(body));
  return { ...body, path: new URL(body.url).pathname, secret: body.url.split("/").at(-1) };
}

/** The names of the newest events of a project in the audit trail, newest first. */
export async function listEvents(token: string, projectId: string) {
  const { body } = await fetch(`/v1/vault/audit?projectId=${projectId}&limit=50`, { token });
  return body.items as { event: string; actor: { id: string }; details: Record<string, unknown> }[];
}
