import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { PublishJobOut } from "../../packages/server/modules/publish/publications/schema.ts";
import { ada, skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { makeProject, send } from "./requests.ts";

const PROJECTS = 30;
const KILL_AFTER_MS = 200;

suite("publishing", { skip }, () => {
  test("completes a burst of jobs after a kill and a restart", async (t) => {
    const dataDir = await openDataFolder(t);
    const killed = startService(dataDir);
    const address = await killed.address();
    const { token } = await send<{ token: string }>(`${address}/v1/auth/local/signup`, {
      json: ada,
    });
    const projects = await Promise.all(
      Array.from({ length: PROJECTS }, (_, at) => makeProject(address, token, `Shop ${at}`)),
    );
    const jobs = await Promise.all(
      projects.map((id) =>
        send<PublishJobOut>(`${address}/v1/publish/jobs/${id}`, { token, json: {} }),
      ),
    );
    await delay(KILL_AFTER_MS);
    killed.kill("SIGKILL");
    await killed.ended;

    // Links contain the port of the first start.
    const service = startService(dataDir, { PORT: new URL(address).port });
    await service.address();
    const listJobs = () =>
      Promise.all(jobs.map(({ links }) => send<PublishJobOut>(links.self, { token })));
    const ended = await waitFor("every job's end", async () => {
      const all = await listJobs();
      return all.every(({ status }) => status === "Done" || status === "Error") ? all : undefined;
    });
    for (const { id, status, url, hash, message } of ended) {
      assert.equal(status, "Done", message ?? "");
      const file = await send<{ jobId: string; hash: string }>(url ?? "");
      assert.deepEqual({ jobId: file.jobId, hash: file.hash }, { jobId: id, hash });
    }
    await stop(service);
  });
});
