import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../instance/requests.ts";
import type { PublishJobOut } from "../../../server/modules/publish/publications/schema.ts";

const AT_ONCE = 16;

/** Creates projects with a cookie configuration each; returns their ids. */
export function openProjects(client: Client, count: number): Promise<string[]> {
  return inTurns(
    Array.from({ length: count }, (_, n) => n),
    async (n) => {
      const project = { websiteURL: `https://shop-${n}.example`, title: `Shop ${n}` };
      const json = await client.send<{ id: string }>("/v1/vault/projects", { json: project });
      const vendors = [{ name: "matomo", title: "Matomo", domain: "matomo.org" }];
      const steps = [{ name: "statistics", layout: "category", title: "Statistics", vendors }];
      const cookies = { projectId: json.id, name: "cookies", language: "en", steps };
      await client.send("/v1/vault/cookies", { json: cookies });
      return json.id;
    },
  );
}

/** Creates a publish job for each project. */
export async function publishAll(client: Client, projects: readonly string[]): Promise<void> {
  await inTurns(projects, (id) => client.send(`/v1/publish/jobs/${id}`, { method: "POST" }));
}

/** Waits until all are live. Throws if a job failed. */
export async function waitForAll(client: Client, projects: readonly string[]): Promise<void> {
  await inTurns(projects, async (id) => {
    for (;;) {
      const job = await client.send<PublishJobOut>(`/v1/publish/jobs/${id}`);
      if (job.status === "Done") return;
      if (job.status === "Error") throw new Error(job.message);
      await delay(250);
    }
  });
}

/** Runs `work` for each, a few at a time. */
async function inTurns<T, R>(given: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = given.entries();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const [at, one] of waiting) results[at] = await work(one);
  });
  await Promise.all(workers);
  return results;
}
