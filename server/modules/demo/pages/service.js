import { textOf } from "./strings.js";

const { base, cdn, project: projectId } = document.body.dataset;
const tokenKey = `avow-demo-token-${projectId}`;

/** What the service answered instead of what was asked for, in plain words. */
export class ServiceFault extends Error {}

/** The configuration as it was published. */
export function fetchConfiguration() {
  return fetchJson(`${cdn}/${projectId}.json`);
}

/** Records an answer; the visitor's token is kept on this device at the first one. */
export async function sendConsent(collection, identifier, answer) {
  const token = findToken();
  const body = { ...answer, ...(token && { token }), timestamp: new Date().toISOString() };
  const path = `/v1/app/consents/${projectId}/${collection}/${encodeURIComponent(identifier)}`;
  const consent = await fetchJson(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": newKey() },
    body: JSON.stringify(body),
  });
  localStorage.setItem(tokenKey, consent.token);
  return consent;
}

/** The visitor's latest record for a configuration; undefined when never asked. */
export async function findConsent(collection, identifier) {
  const token = findToken();
  if (!token) return undefined;
  const query = new URLSearchParams({ token, service: collection, identifier });
  const found = await fetchJson(`${base}/v1/app/consent/${projectId}?${query}`);
  return found.consentId ? found : undefined;
}

export function findToken() {
  return localStorage.getItem(tokenKey) ?? undefined;
}

export function forgetToken() {
  localStorage.removeItem(tokenKey);
}

/** randomUUID is missing where the page comes over plain HTTP from another machine. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");
}

async function fetchJson(url, request = {}) {
  let answer;
  try {
    answer = await fetch(url, { ...request, signal: AbortSignal.timeout(15_000) });
  } catch {
    throw new ServiceFault(textOf("unreachable"));
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  const places = (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);
  const detail = body.detail ?? textOf("answered", { status: answer.status });
  throw new ServiceFault([detail, ...places].join(" "));
}
