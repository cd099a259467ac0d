import assert from "node:assert/strict";
import { readLogKeys } from "../../packages/server/modules/evidence/log/keys.ts";
import type { NoteKey } from "../../packages/server/modules/evidence/log/note.ts";
import { findLogOrigin } from "../../packages/server/modules/evidence/log/origin.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { type Site, newSite, publish } from "./site.ts";

export const shop = "https://shop.example";

/** A published project, which tickets require. */
export async function newLiveSite(): Promise<Site> {
  const site = await newSite();
  await publish(site);
  return site;
}

/** Requests a ticket as a page of `origin` does. */
export function askForTicket(projectId: string, origin: string | undefined): Promise<TestAnswer> {
  const headers: Record<string, string> = origin === undefined ? {} : { origin };
  return service.fetch(hrefOf("", paths.tickets, { projectId }), { method: "POST", headers });
}

export async function newTicket(site: Pick<Site, "id">, origin = shop): Promise<string> {
  const { status, body } = await askForTicket(site.id, origin);
  assert.equal(status, 200, JSON.stringify(body));
  return body.ticket;
}

/** The keys of the shared service, as another node of it has them. */
export async function openServiceKeys(): Promise<NoteKey[]> {
  const { dataDir, http } = service.config;
  const own = { logOrigin: undefined, publicUrl: http.publicUrl };
  const origin = await findLogOrigin(service.data, own);
  return readLogKeys({ dataDir, origin, keys: undefined });
}
