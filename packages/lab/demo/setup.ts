import type { JsonObject } from "@avow/contract/json";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PublishJobOut } from "../../server/modules/publish/publications/schema.ts";
import { type Client, ProblemError } from "../instance/requests.ts";
import { step } from "./progress.ts";
import { type Collection, type Configuration, type Shop, collections, titleOf } from "./shop.ts";

const PUBLISH_TIMEOUT_MS = 60_000;
const POLL_DEFAULT_MS = 500;

export interface Account {
  email: string;
  password: string;
}

/** The published project, its configurations, and the user's access token. */
export interface Site {
  client: Client;
  token: string;
  /** The owner of the project: the given account, or a generated one. */
  account: Account;
  projectId: string;
  configurations: Record<Collection, readonly Configuration[]>;
  fileUrl: string;
}

/** Signs up or in, writes the project and its configurations, publishes them, and reads the published file. */
export async function setUpSite(
  anyone: Client,
  shop: Shop,
  given: Account | undefined,
): Promise<Site> {
  const account = given ?? makeAccount();
  const token = await signIn(anyone, account, given !== undefined);
  const client = anyone.withToken(token);
  const { links } = await anyone.send<{ links: { self: string } }>("/v1");
  const websiteURL = `${links.self.replace(/\/v1$/, "")}/demo`;
  const projectId = await writeProject(client, { ...shop.project, websiteURL });
  const written: [Collection, readonly Configuration[]][] = [];
  for (const collection of collections)
    written.push([
      collection,
      await writeConfigurations(client, { collection, projectId, bodies: shop[collection] }),
    ]);
  const configurations = Object.fromEntries(written) as Site["configurations"];
  const fileUrl = await publish(client, projectId);
  await checkFile(anyone, fileUrl, configurations);
  return { client, token, account, projectId, configurations, fileUrl };
}

/** A new user for each run; the password is not stored. */
function makeAccount(): Account {
  return {
    email: `demo-${randomBytes(4).toString("hex")}@avow.example`,
    password: randomBytes(24).toString("base64url"),
  };
}

/** Signs in to the given account, or creates it. */
async function signIn(anyone: Client, account: Account, mayExist: boolean): Promise<string> {
  return step(async () => {
    const { email, password } = account;
    if (mayExist) {
      const token = await findSession(anyone, account);
      if (token !== undefined) return [`Signed in as ${email}`, token];
    }
    const { token } = await anyone.send<{ token: string }>("/v1/auth/local/signup", {
      json: { email, password },
    });
    return [`Signed up ${email}`, token];
  });
}

/** Undefined if the account does not exist, or has another password. */
async function findSession(
  anyone: Client,
  { email, password }: Account,
): Promise<string | undefined> {
  try {
    const json = { username: email, password };
    return (await anyone.send<{ token: string }>("/v1/auth/local/signin", { json })).token;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return undefined;
    throw error;
  }
}

async function writeProject(client: Client, body: JsonObject): Promise<string> {
  return step(async () => {
    const query = new URLSearchParams({ websiteURL: String(body["websiteURL"]) });
    const known = await client.send<(Configuration & { createdBy: string })[]>(
      `/v1/vault/projects?${query.toString()}`,
    );
    const { id: userId } = await client.send<{ id: string }>("/v1/auth/me");
    // Others can share projects with this address, and must not get theirs onto the page.
    const found = known.find(({ createdBy }) => createdBy === userId);
    const { id } = await client.send<Configuration>(
      `/v1/vault/projects${found ? `/${found.id}` : ""}`,
      { method: found ? "PUT" : "POST", json: body },
    );
    return [`${found ? "Refreshed" : "Created"} the project “${String(body["title"])}” ${id}`, id];
  });
}

/** Replaces configurations with the same name or title and language, so that a second run adds none. */
async function writeConfigurations(
  client: Client,
  given: {
    collection: Collection;
    projectId: string;
    bodies: readonly JsonObject[];
  },
): Promise<readonly Configuration[]> {
  const { collection, projectId, bodies } = given;
  if (bodies.length === 0) return [];
  return step(async () => {
    const path = `/v1/vault/${collection}`;
    const known = await client.send<Configuration[]>(`${path}?projectId=${projectId}`);
    const written: Configuration[] = [];
    for (const body of bodies) {
      const label = body["name"] ?? body["title"];
      const same = known.find(
        ({ name, title, language }) =>
          label !== undefined &&
          (label === name || label === title) &&
          language === body["language"],
      );
      const request = { method: same ? "PUT" : "POST", json: { ...body, projectId } };
      written.push(
        await client.send<Configuration>(`${path}${same ? `/${same.id}` : ""}`, request),
      );
    }
    const titles = written.map((one) => `“${titleOf(one)}”`).join(", ");
    return [`Configured ${collection}: ${titles}`, written];
  });
}

/** Publishes, and polls as specified (Publish, polling rules 1 to 3). */
async function publish(client: Client, projectId: string): Promise<string> {
  return step(async () => {
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    let job = await client.send<PublishJobOut>(`/v1/publish/jobs/${projectId}`, { method: "POST" });
    while (job.status !== "Done") {
      if (job.status === "Error")
        throw new Error(`Publishing failed at the step ${job.step}: ${job.message ?? ""}`);
      if (performance.now() > deadline)
        throw new Error(`Publishing did not end within ${PUBLISH_TIMEOUT_MS / 1000} s.`);
      await sleep(job.timeout ?? POLL_DEFAULT_MS);
      job = await client.send<PublishJobOut>(job.links.self);
    }
    if (job.url === undefined) throw new Error("The finished job has no address of its file.");
    const kilobytes = ((job.size ?? 0) / 1024).toFixed(1);
    if (job.sameVersion) return [`Version ${job.version} is live: nothing has changed`, job.url];
    const text = `Published version ${job.version} in ${job.steps.length} steps, ${kilobytes} KiB`;
    return [text, job.url];
  });
}

/** Checks that the published file contains every configuration. */
async function checkFile(
  anyone: Client,
  fileUrl: string,
  configurations: Site["configurations"],
): Promise<void> {
  await step(async () => {
    const file = await anyone.send<Record<Collection, { identifier: string }[]>>(fileUrl);
    const missing = collections.flatMap((collection) =>
      configurations[collection].filter(
        ({ id }) => !file[collection].some(({ identifier }) => identifier === id),
      ),
    );
    if (missing.length > 0)
      throw new Error(`The published file lacks ${missing.map(titleOf).join(", ")}.`);
    const count = collections.flatMap((collection) => file[collection]).length;
    return [`Read the published file: all ${count} configurations are in it`, undefined];
  });
}
