import { setTimeout as sleep } from "node:timers/promises";
import type { PublishJobOut } from "../../../server/modules/publish/publications/schema.ts";
import type { Client } from "../../instance/requests.ts";
import type { Site } from "./sites.ts";

const PUBLISH_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** The publish job failed; the message has the reason. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/**
 * Creates a project of an organization with its configurations, publishes it and returns its id.
 * @throws RefusedError where the publication refuses it
 */
export async function publishSite(
  client: Client,
  organizationId: string,
  { project, ...configurations }: Site,
): Promise<string> {
  const { id: projectId } = await client.send<{ id: string }>("/v1/vault/projects", {
    json: {
      websiteURL: "https://shop.example",
      title: "Shop",
      DPO: { organization: "Shop Ltd" },
      organizationId,
      ...project,
    },
  });
  for (const [collection, all] of Object.entries(configurations))
    for (const one of all)
      await client.send(`/v1/vault/${collection}`, { json: { ...one, projectId } });
  await publish(client, projectId);
  return projectId;
}

/**
 * Publishes the current state of a project.
 * @throws RefusedError where the publication refuses it
 */
export async function publish(client: Client, projectId: string): Promise<void> {
  let job = await client.send<PublishJobOut>(`/v1/publish/jobs/${projectId}`, { method: "POST" });
  for (const until = performance.now() + PUBLISH_TIMEOUT_MS; job.status !== "Done";) {
    if (job.status === "Error") throw new RefusedError(job.message ?? job.step);
    if (performance.now() > until)
      throw new Error("The publish job did not finish within a minute.");
    await sleep(POLL_MS);
    job = await client.send<PublishJobOut>(job.links.self);
  }
}
