import { setTimeout as sleep } from "node:timers/promises";
import {
  type Collection,
  type Configuration,
  type Shop,
  collections,
  listAskedVendors,
} from "../../demo/shop.ts";
import type { Client } from "../../instance/requests.ts";
import type { PublishJobOut } from "../../../server/modules/publish/publications/schema.ts";
import { type Answer, accepts } from "./answers.ts";

const AT_A_TIME = 8;
const PUBLISH_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** A configuration that generated visitors answer. */
export interface Form {
  collection: Collection;
  identifier: string;
  name: string;
  language: string;
  /** The vendors of a cookie configuration; empty for others. */
  vendors: readonly string[];
}

/** A published project with its cookies, processing and contract, in this order. */
export interface Project {
  id: string;
  forms: readonly Form[];
}

/** Creates and publishes `count` projects like `shop`, as the client's user. */
export async function setUpProjects(client: Client, shop: Shop, count: number): Promise<Project[]> {
  const projects: Project[] = [];
  while (projects.length < count) {
    const group = Math.min(AT_A_TIME, count - projects.length);
    const made = Array.from({ length: group }, () => setUpProject(client, shop));
    projects.push(...(await Promise.all(made)));
  }
  return projects;
}

async function setUpProject(client: Client, shop: Shop): Promise<Project> {
  const { id } = await client.send<{ id: string }>("/v1/vault/projects", { json: shop.project });
  const forms: Form[] = [];
  for (const collection of collections)
    for (const body of shop[collection].slice(0, 1)) {
      const path = `/v1/vault/${collection}`;
      const json = { ...body, projectId: id };
      forms.push(toForm(collection, await client.send<Configuration>(path, { json })));
    }
  await publish(client, id);
  return { id, forms };
}

async function publish(client: Client, projectId: string): Promise<void> {
  const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
  let job = await client.send<PublishJobOut>(`/v1/publish/jobs/${projectId}`, { method: "POST" });
  while (job.status !== "Done") {
    if (job.status === "Error" || performance.now() > deadline)
      throw new Error(`A project was not published: ${job.message ?? job.status}`);
    await sleep(POLL_MS);
    job = await client.send<PublishJobOut>(job.links.self);
  }
}

function toForm(collection: Collection, configuration: Configuration): Form {
  const { id: identifier, name = "", language = "en" } = configuration;
  const vendors = listAskedVendors(configuration).map((vendor) => vendor.name);
  return { collection, identifier, name, language, vendors };
}

/** An answer to a form as a page sends it. */
export function toBody({ identifier, name, language, vendors }: Form, answer: Answer): object {
  const accept = answer !== "none";
  const page = { accept, language, url: "https://shop.example/pots" };
  if (vendors.length === 0) return page;
  const chosen = vendors.map((slug, at) => [slug, accepts[answer](at)] as const);
  const config = { identifier, name, language };
  return { ...page, preferences: { vendors: Object.fromEntries(chosen), config } };
}
