import type { Client } from "@avow/client";
import {
  type PublishJob,
  diffPublications,
  getPublishJob,
  publishProject,
} from "@avow/client/operations";
import { sleep } from "@avow/client/retry";
import { CommandError } from "../terminal/errors.ts";
import type { Progress } from "../terminal/progress.ts";
import type { AppliedProject } from "./apply.ts";

export const environments = ["staging", "production"] as const;
type Environment = (typeof environments)[number];

/** Publishes a project, unless its live version has everything. @throws CommandError when the job fails */
export async function publishApplied(
  client: Client,
  { id, title }: AppliedProject,
  {
    environment,
    progress,
    signal,
  }: { environment: Environment; progress: Progress; signal: AbortSignal },
): Promise<void> {
  const versions = { projectId: id, from: "live", to: "next" };
  const diff = await client.send(
    diffPublications,
    { path: versions, query: { environment } },
    { signal },
  );
  if (diff.from !== null && diff.count === 0) {
    progress.say(`“${title}”: version ${diff.from} in ${environment} has everything.`);
    return;
  }
  // A configuration with errors fails the job: a pipeline must not report what it held back as published.
  const body = { environment, strict: true };
  let job: PublishJob = await client.send(publishProject, { path: { id }, body }, { signal });
  const shown = new Set<string>();
  for (;;) {
    for (const { name, status } of job.steps)
      if (status === "Done" && !shown.has(name)) {
        shown.add(name);
        progress.say(`  ${name}`);
      }
    if (job.status === "Done" || job.status === "Error") break;
    await sleep(job.timeout, signal);
    job = await client.send(getPublishJob, { path: { id: job.id } }, { signal });
  }
  if (job.status === "Error")
    throw new CommandError(
      `Publishing “${title}” to ${environment} failed at the step ${job.step}: ${job.message ?? ""}`,
    );
  progress.say(`✓ published “${title}” as version ${job.version ?? 0} in ${environment}`);
}
