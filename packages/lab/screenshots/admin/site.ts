import { join } from "node:path";
import { chooseDemoProject } from "../../../server/commands/demo-project.ts";
import { type Account, type Site, setUpSite } from "../../demo/setup.ts";
import { type Collection, readShop } from "../../demo/shop.ts";
import { collectConsents, openPersonPage } from "../../demo/visitors.ts";
import type { Client } from "../../instance/requests.ts";
import { root } from "../../instance/service.ts";
import { addFiles } from "../content/files.ts";
import { type Journal, addJournal } from "../content/journal.ts";
import { fillMonth } from "../content/month.ts";
import { publish } from "../content/publish.ts";

const password = "for pictures, on a machine of one's own";
const owner: Account = { email: "camille@hearth-and-clay.example", password };
const people = [
  ["Noé Lambert", "noe@hearth-and-clay.example", "editor"],
  ["Agnieszka Kowalczyk-Saint-Exupéry", "agnieszka@kowalczyk-saint-exupery.example", "viewer"],
  ["Cabinet Dumas", "audit@cabinet-dumas.example", "auditor"],
] as const;
const newcomer: Account = { email: "lucie@new.example", password };

/** The role of the viewer of a screen: `newcomer` has an account and nothing else. */
export type Who = "owner" | "viewer" | "auditor" | "newcomer" | "nobody";

/** The data of the admin app's screenshots. */
export interface AdminSite {
  /** As its owner. */
  client: Client;
  accounts: Record<Exclude<Who, "nobody">, Account>;
  /** Published, with answers, and with changes that are not published. */
  projectId: string;
  /** A project without content. */
  emptyId: string;
  /** A picture. */
  assetId: string;
  /** The token of the link in a mail. */
  invitation: string;
  /** The token of the offer of a project. */
  transfer: string;
  /** The first configuration of each kind. */
  configurations: Record<Collection, string>;
  organizationId: string;
  journal: Journal;
  webhookId: string;
  /** A scan of the website, which does not exist. */
  scanId: string;
  /** The token of a visitor who changed their answer. */
  personToken: string;
  personUrl: string;
  /** The page of a visitor who refused everything. */
  refuserUrl: string;
}

/** Systems around the service; without them there are no deliveries, and no month of statistics. */
interface Around {
  /** The webhook address of the shop's own system. */
  receiverUrl: string;
  /** The address of the service's database. */
  database: string;
}

/**
 * Fills a service like that of a shop after some months: the data of `npm run demo`, a team, keys, more projects. Its
 * owner is an operator of the service, whose `OPERATOR_TOKEN` is `operatorToken`.
 */
export async function setUpAdmin(
  anyone: Client,
  operatorToken: string,
  around?: Around,
): Promise<AdminSite> {
  const shop = await readShop(join(root, "examples", "shop.json"));
  const site = await setUpSite(anyone, shop, owner);
  const { client, projectId } = site;
  if (around) await chooseDemoProject(projectId, around.database);
  const { id: organizationId } = await client.send<{ id: string }>("/v1/vault/organizations", {
    json: { name: "Hearth & Clay Ltd" },
  });
  const webhookId = await addWebhook(site, around?.receiverUrl);
  const { id: scanId } = await client.send<{ id: string }>(
    `/v1/publish/projects/${projectId}/scans`,
    { method: "POST" },
  );
  const visited = await collectConsents(site);
  await importOld(site);
  await client.send("/v1/auth/me", { method: "PATCH", json: { displayName: "Camille Ferrand" } });
  await addPeople(anyone, site);
  for (const email of [owner.email, people[0][1]])
    await anyone.withToken(operatorToken).send("/v1/auth/operators", { json: { email } });
  await publishWords(site);
  await changeBanner(site);
  const keys = [
    ["Newsletter sync", ["consents:read"]],
    ["Nightly export to the warehouse", ["consents:read", "proofs:read"]],
  ] as const;
  for (const [label, scopes] of keys)
    await client.send("/v1/auth/tokens", { json: { label, scopes } });
  const more = {
    websiteURL: "https://workshops.hearth-and-clay.example",
    title: "Workshops",
    organizationId,
  };
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
  const { transferToken } = await client.send<{ transferToken: { value: string } }>(
    `/v1/vault/projects/${emptyId}/transfer`,
    { json: { email: "ines@hearth-and-clay.example" } },
  );
  const assetId = await addFiles(site);
  const environment = { environment: "staging" };
  await client.send(`/v1/publish/jobs/${projectId}`, { json: environment });
  if (around) await fillMonth(around.database, site);
  const { cookies, processings, contracts } = site.configurations;
  const tokenOf = (name: string): string => visited.find((one) => one.name === name)?.token ?? "";
  return {
    client,
    accounts: { owner, newcomer, viewer: accountOf("viewer"), auditor: accountOf("auditor") },
    projectId,
    emptyId,
    assetId,
    invitation: invitationToken.value,
    transfer: transferToken.value,
    organizationId,
    journal: await addJournal(client, around?.database),
    webhookId,
    scanId,
    configurations: {
      cookies: idOf(cookies),
      processings: idOf(processings),
      contracts: idOf(contracts),
    },
    personToken: tokenOf("Dario"),
    personUrl: await openPersonPage(site, tokenOf("Dario")),
    refuserUrl: await openPersonPage(site, tokenOf("Chloé")),
  };
}

function accountOf(wanted: "viewer" | "auditor"): Account {
  const [, email = ""] = people.find(([, , role]) => role === wanted) ?? [];
  return { email, password };
}

const idOf = ([first]: readonly { id: string }[]): string => first?.id ?? "";

async function addWebhook({ client, projectId }: Site, receiverUrl?: string): Promise<string> {
  const { id } = await client.send<{ id: string }>("/v1/webhooks", {
    json: {
      url: receiverUrl ?? "https://api.hearth-and-clay.example/avow",
      events: ["consent.created", "consent.withdrawn", "publish.done", "configuration.updated"],
      headers: { "X-Shop": "hearth-and-clay" },
      projectId,
    },
  });
  return id;
}

/** A file of another tool with two invalid lines. */
async function importOld({ token, projectId, fileUrl, configurations }: Site): Promise<void> {
  const identifier = configurations.cookies[0]?.id ?? "";
  const lines = ["token;collection;identifier;accept;date;value;preferences"];
  for (let n = 0; n < 40; n += 1) {
    const date = new Date(Date.now() - (n + 40) * 86_400_000).toISOString();
    lines.push(`old-${n};cookies;${identifier};${n % 3 === 0 ? 0 : 1};${date};;`);
  }
  lines.push(
    "old-41;cookies;unknown;1;2026-01-03T10:00:00Z;;",
    `old-42;cookies;${identifier};1;;;`,
  );
  const answer = await fetch(new URL(`/v1/app/imports/${projectId}`, fileUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    body: lines.join("\r\n"),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`The import was rejected: ${await answer.text()}`);
}

async function addPeople(anyone: Client, { client, projectId }: Site): Promise<void> {
  for (const [displayName, email, role] of people) {
    await anyone.send("/v1/auth/local/signup", { json: { email, password, displayName } });
    const json = { email, roles: [role] };
    await client.send(`/v1/vault/projects/${projectId}/users`, { json });
  }
  const json = { ...newcomer, displayName: "Lucie Marchand" };
  await anyone.send("/v1/auth/local/signup", { json });
}

interface Banner {
  id: string;
  steps: {
    name: string;
    message?: string;
    vendors?: { name: string; shortDescription?: string }[];
  }[];
}

async function readBanner({ client, projectId }: Site): Promise<Banner> {
  const query = new URLSearchParams({ projectId });
  const [banner] = await client.send<Banner[]>(`/v1/vault/cookies?${query.toString()}`);
  if (!banner) throw new Error("The shop has no banner.");
  return banner;
}

/** Publishes a second version of a banner with a change that is not material. */
async function publishWords(site: Site): Promise<void> {
  const { client, projectId } = site;
  const { id, steps } = await readBanner(site);
  const [first, ...others] = steps;
  const message = `${first?.message ?? ""}<p>Thank you for looking in.</p>`;
  const json = { steps: [{ ...first, message }, ...others] };
  await client.send(`/v1/vault/cookies/${id}`, { method: "PATCH", json });
  await publish(client, projectId);
}

/** Changes a published banner so that some people are asked again and the check has findings. */
async function changeBanner(site: Site): Promise<void> {
  const { client } = site;
  const banner = await readBanner(site);
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
