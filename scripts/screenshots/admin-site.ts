import { join } from "node:path";
import { type Account, type Site, setUpSite } from "../demo/setup.ts";
import { readShop } from "../demo/shop.ts";
import { collectConsents } from "../demo/visitors.ts";
import type { Client } from "../requests.ts";
import { root } from "../service.ts";
import { addFiles } from "./files.ts";

const password = "for pictures, on a machine of one's own";
const owner: Account = { email: "camille@hearth-and-clay.example", password };

/** What the pictures of the admin app show. */
export interface AdminSite {
  account: Account;
  /** Published, with answers, and with changes that are not published. */
  projectId: string;
  /** Of which nothing is there but the project. */
  emptyId: string;
  /** A picture. */
  assetId: string;
  /** Of the link in a mail. */
  invitationToken: string;
}

/** Fills a service as a shop's would be after a while: what `npm run demo` makes, a team, keys, more projects. */
export async function setUpAdmin(anyone: Client): Promise<AdminSite> {
  const shop = await readShop(join(root, "examples", "shop.json"));
  const site = await setUpSite(anyone, shop, owner);
  const { client, projectId } = site;
  await collectConsents(site);
  await client.send("/v1/auth/me", { method: "PATCH", json: { displayName: "Camille Ferrand" } });
  await addPeople(anyone, site);
  await changeBanner(site);
  const keys = [
    ["Newsletter sync", ["consents:read"]],
    ["Nightly export to the warehouse", ["consents:read", "proofs:read"]],
  ] as const;
  for (const [label, scopes] of keys)
    await client.send("/v1/auth/tokens", { json: { label, scopes } });
  const more = { websiteURL: "https://workshops.hearth-and-clay.example", title: "Workshops" };
  const { id: emptyId } = await client.send<{ id: string }>("/v1/vault/projects", { json: more });
  const invitation = {
    email: "ines@hearth-and-clay.example",
    role: "editor",
    data: { collection: "projects", id: projectId },
  };
  const { invitationToken } = await client.send<{ invitationToken: { value: string } }>(
    "/v1/auth/invitations",
    { json: invitation },
  );
  const assetId = await addFiles(site);
  const { value } = invitationToken;
  return { account: owner, projectId, emptyId, assetId, invitationToken: value };
}

async function addPeople(anyone: Client, { client, projectId }: Site): Promise<void> {
  const people = [
    ["Noé Lambert", "noe@hearth-and-clay.example", "editor"],
    ["Agnieszka Kowalczyk-Saint-Exupéry", "agnieszka@kowalczyk-saint-exupery.example", "viewer"],
    ["Cabinet Dumas", "audit@cabinet-dumas.example", "auditor"],
  ] as const;
  for (const [displayName, email, role] of people) {
    await anyone.send("/v1/auth/local/signup", { json: { email, password, displayName } });
    const json = { email, roles: [role] };
    await client.send(`/v1/vault/projects/${projectId}/users`, { json });
  }
}

interface Banner {
  id: string;
  steps: { name: string; vendors?: { name: string; shortDescription?: string }[] }[];
}

/** Changes a published banner so that some people are asked again, and so that the check finds something. */
async function changeBanner({ client, projectId }: Site): Promise<void> {
  const query = new URLSearchParams({ projectId });
  const [banner] = await client.send<Banner[]>(`/v1/vault/cookies?${query.toString()}`);
  if (!banner) throw new Error("The shop has no banner.");
  const steps = banner.steps.map((step) => ({
    ...step,
    vendors: step.vendors?.map((vendor) =>
      vendor.name === "google_analytics"
        ? { ...vendor, type: "advertising", googleConsentMode: ["analytics_storage", "ad_storage"] }
        : vendor,
    ),
  }));
  const first = steps.find(({ name }) => name === "analytics");
  first?.vendors?.push({ name: "clarity" });
  await client.send(`/v1/vault/cookies/${banner.id}`, { method: "PATCH", json: { steps } });
}
