import { textOf } from "./strings.js";

const { base, cdn, project: projectId } = document.body.dataset;
const tokenKey = `avow-demo-token-${projectId}`;
/** The display ticket for the next answer: a promise of it, or of nothing. */
let ticket = Promise.resolve();

/** What the service answered instead of what was asked for, in plain words. */
export class ServiceFault extends Error {}

/** The configuration as it was published. */
export function fetchConfiguration() {
  return fetchJson(`${cdn}/${projectId}.json`);
}

/**
 * Asks for a display ticket for the file that is shown. Without one an answer is kept all the same, graded
 * `browser`; so it is when another version is live by now than the one on the page.
 */
export function noteDisplay({ version }) {
  ticket = fetchJson(`${base}/v1/app/tickets/${projectId}`, { method: "POST" }).then(
    (given) => (given.version === version ? given.ticket : undefined),
    () => undefined,
  );
}

/** Records an answer, with the ticket of what is shown; the visitor's token is kept on this device at the first one. */
export async function sendConsent(collection, identifier, answer) {
  const token = findToken();
  const timestamp = new Date().toISOString();
  const shown = await ticket;
  const body = { ...answer, ...(token && { token }), ...(shown && { ticket: shown }), timestamp };
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
