import assert from "node:assert/strict";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import type { Site } from "./site.ts";

/** Requests a link to a token's page, as a visitor of any site does. */
export function askForLink(
  site: Pick<Site, "id">,
  json: object,
  more: { token?: string; headers?: Record<string, string> } = {},
): Promise<TestAnswer> {
  return service.fetch(hrefOf("", paths.personLinks, { id: site.id }), { json, ...more });
}

/** A link to a token's page. */
export async function newLink(
  site: Pick<Site, "id">,
  token: string,
  more: { token?: string } = {},
): Promise<{ url: string; id: string }> {
  const { status, body } = await askForLink(site, { token }, more);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

export function post(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.fetch(url, { form, headers });
}
