import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openTestDatabase } from "../database.ts";
import { openAnotherService } from "./another-service.ts";

const POLLS_MAX = 1_200;
const POLL_MS = 25;

/** Members of a published file and a publish job that tests check. */
interface Job {
  id: string;
  status: string;
  message?: string;
  url: string;
  hash: string;
  links: { self: string };
  steps: { name: string; message: string | null }[];
}

/** A service with its own database, user and project, configured by `env`. */
export interface OneSite extends AsyncDisposable {
  url: string;
  projectId: string;
  lines: readonly string[];
  /** Publishes the project, and returns the job at its end. */
  publish(): Promise<Job>;
  unpublish(): Promise<void>;
  /** Changes what the next publication contains. */
  rename(title: string): Promise<void>;
}

export async function openOneSite(env: Record<string, string>): Promise<OneSite> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-site-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = opened.use(await openTestDatabase());
  const service = await openAnotherService(database.url, { DATA_DIR: dataDir, ...env });
  opened.use(service);
  const { url, lines } = service;
  let token = "";
  const send = async (path: string, method: string, json?: object): Promise<unknown> => {
    const answer = await fetch(path.startsWith("http") ? path : url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json && { "content-type": "application/json" }),
      },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const account = { email: "ada@example.org", password: "correct horse" };
  ({ token } = (await send("/v1/auth/local/signup", "POST", account)) as { token: string });
  const site = { websiteURL: "https://shop.example", title: "Shop" };
  const { id: projectId } = (await send("/v1/vault/projects", "POST", site)) as { id: string };
  const welcome = { name: "welcome", layout: "welcome", message: "<p>Cookies?</p>" };
  const vendors = [{ name: "matomo", title: "Matomo" }];
  const steps = [welcome, { name: "stats", layout: "category", vendors }];
  await send("/v1/vault/cookies", "POST", { projectId, name: "shop", language: "en", steps });
  const owned = opened.move();
  return {
    url,
    projectId,
    lines,
    async publish() {
      const { links } = (await send(`/v1/publish/jobs/${projectId}`, "POST")) as Job;
      for (let poll = 0; poll < POLLS_MAX; poll += 1) {
        const job = (await send(links.self, "GET")) as Job;
        if (job.status === "Done" || job.status === "Error") return job;
        await delay(POLL_MS);
      }
      return assert.fail("the job does not end");
    },
    unpublish: async () => void (await send(`/v1/publish/projects/${projectId}`, "DELETE")),
    rename: async (title) =>
      void (await send(`/v1/vault/projects/${projectId}`, "PATCH", { title })),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Polls until `look` returns a value, a minute at most. */
export async function pollUntil<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
) {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(POLL_MS);
  }
  return assert.fail(`timed out waiting for ${what}`);
}
