import assert from "node:assert/strict";
import { rememberExchange } from "../log-leaks.ts";
import { runLog } from "../run-log.ts";

/** Sends JSON, or reads, and returns the body; throws unless the answer is a success. */
export async function send<T = unknown>(
  url: string,
  { token, json, method = "POST" }: { token?: string; json?: unknown; method?: string } = {},
): Promise<T> {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (json !== undefined) headers.set("content-type", "application/json");
  const body = json === undefined ? {} : { method, body: JSON.stringify(json) };
  const answer = await fetch(url, { headers, ...body, signal: AbortSignal.timeout(20_000) });
  assert.ok(answer.ok, `${answer.status} of ${url}`);
  const answered = (await answer.json()) as T;
  rememberExchange(runLog, { path: new URL(url).pathname, json, token, body: answered });
  return answered;
}

/** Creates a project with something to publish, and returns its id. */
export async function makeProject(address: string, token: string, title: string): Promise<string> {
  const json = { websiteURL: "https://shop.example", title };
  const { id } = await send<{ id: string }>(`${address}/v1/vault/projects`, { token, json });
  const steps = [{ name: "first", layout: "welcome" }];
  const cookies = { projectId: id, name: "cookies", steps };
  await send(`${address}/v1/vault/cookies`, { token, json: cookies });
  return id;
}
