import assert from "node:assert/strict";
import { ask, askJson } from "./http.ts";
import type { Load, SentConsent } from "./load.ts";
import type { Site } from "./site.ts";

const PER_PAGE = 1_000;
const SAMPLES = 60;

type StoredConsent = SentConsent & { consentId: string };

/** Every consent of the project, oldest first, as its registry lists them. */
async function listStored(site: Site): Promise<StoredConsent[]> {
  const stored: StoredConsent[] = [];
  const query = `sort=createdAt&perPage=${PER_PAGE}&cursor=`;
  let next: string | undefined = `${site.address}/v1/app/consents/${site.id}?${query}`;
  while (next !== undefined) {
    const { status, text, headers } = await ask(next, { headers: toHeaders(site) });
    assert.equal(status, 200, text);
    for (const { consentId, token, collection, identifier, accept, url } of JSON.parse(
      text,
    ) as StoredConsent[])
      stored.push({ consentId, token, collection, identifier, accept, url });
    next = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
  }
  return stored;
}

function toHeaders({ token }: Site): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/**
 * Asserts that everything acknowledged is stored once under the answered id, that what was sent without an
 * answer is stored at most once, and that nothing else is stored. Returns the number of consents.
 */
export async function assertStored(site: Site, load: Load): Promise<number> {
  const again = await sendAgain(load);
  const stored = await listStored(site);
  const ids = new Map<string, string>();
  const doubles: string[] = [];
  for (const { consentId, ...consent } of stored) {
    assert.deepEqual(consent, load.sent.get(consent.url), "every stored consent was sent");
    if (ids.has(consent.url)) doubles.push(consent.url);
    ids.set(consent.url, consentId);
  }
  assert.deepEqual(doubles, [], "no consent is stored twice");
  const lost = [...load.acknowledged].filter(([url, id]) => ids.get(url) !== id);
  assert.deepEqual(lost, [], "every acknowledged consent is stored under the answered id");
  assert.deepEqual(again, [], "a retry gets the first answer");
  await assertStates(site, stored);
  return stored.length;
}

/** Retries some of the answered requests, and returns those that got another consent id. */
async function sendAgain({ answered, acknowledged }: Load): Promise<string[]> {
  const others: string[] = [];
  for (const request of pick(answered)) {
    const body = await askJson<{ consentId: string } | { consentId: string }[]>(
      request.url,
      request,
    );
    for (const [at, { consentId }] of [body].flat().entries()) {
      const url = request.consents[at]?.url ?? "";
      if (acknowledged.get(url) !== consentId) others.push(url);
    }
  }
  return others;
}

/** Asserts, for some visitors, that their state agrees with their newest records. */
async function assertStates(site: Site, stored: readonly StoredConsent[]): Promise<void> {
  const { processings } = site.identifiers;
  const latest = new Map<string, StoredConsent>();
  for (const consent of stored.toSorted((a, b) => (a.consentId < b.consentId ? -1 : 1)))
    if (consent.identifier === processings) latest.set(consent.token, consent);
  assert.ok(latest.size > 0);
  for (const [token, { accept, consentId }] of pick([...latest])) {
    const url = `${site.address}/v1/client/${site.id}/consents/${token}`;
    const { state } = await askJson<{
      state: { identifier: string; status: string; consentId: string }[];
    }>(url, { headers: toHeaders(site) });
    const found = state.find(({ identifier }) => identifier === processings);
    assert.equal(found?.consentId, consentId);
    assert.equal(found?.status === "accepted", accept, JSON.stringify(found));
  }
}

/** A sample spread over the whole list. */
function pick<T>(list: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(list.length / SAMPLES));
  return list.filter((_, at) => at % step === 0);
}
