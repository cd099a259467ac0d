import assert from "node:assert/strict";

/** Sends JSON, or reads, and answers the body of what has to be a success. */
export async function send<T = unknown>(
  url: string,
  { token, json }: { token?: string; json?: unknown } = {},
): Promise<T> {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  if (json !== undefined) headers.set("content-type", "application/json");
  const body = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
  const answer = await fetch(url, { headers, ...body, signal: AbortSignal.timeout(20_000) });
  assert.ok(answer.ok, `${answer.status} of ${url}`);
  return (await answer.json()) as T;
}
