import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { rememberExchange } from "../../log-leaks.ts";
import { runLog } from "../../run-log.ts";
import { type End, type ServiceProcess, listProcesses, startService, waitFor } from "./process.ts";

export const ada = { username: "ada@example.org", password: "correct horse" };

async function post(url: string, json: unknown): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  const body: unknown = await answer.json();
  rememberExchange(runLog, { path: new URL(url).pathname, json, token: undefined, body });
  return answer.status;
}

export const signUp = (address: string, more: object = {}): Promise<number> =>
  post(`${address}/v1/auth/local/signup`, { ...ada, ...more });
export const signIn = (address: string): Promise<number> =>
  post(`${address}/v1/auth/local/signin`, ada);

export async function stop(service: ServiceProcess): Promise<void> {
  service.kill("SIGTERM");
  assertStopped(await service.ended);
}

/** Asserts a clean shutdown, of a running service or during its start. */
export function assertStopped({ code, output }: End): void {
  assert.equal(code, 0, output);
  assert.match(output, /"msg":"(?:stopped|start cancelled)"/);
}

/** Starts the service again, and finds the account that an earlier one stored. */
export async function assertKept(dataDir: string): Promise<void> {
  const service = startService(dataDir);
  assert.equal(await signIn(await service.address()), 200);
  await stop(service);
  assert.deepEqual(await listProcesses(dataDir), []);
}

/** Fulfilled when the first start has begun to create the database. */
export async function waitForFirstFiles(dataDir: string): Promise<void> {
  await waitFor("the first files", async () => {
    return (await readdir(dataDir)).find((name) => name.startsWith("postgres.new-"));
  });
}

export const skip = process.platform === "linux" ? false : "it looks at processes through /proc";
