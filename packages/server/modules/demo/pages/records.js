const { base, project } = document.body.dataset;
const historyKey = `avow-demo-history-${project}`;
const HISTORY_MAX = 50;
const TIMEOUT_MS = 15_000;

/** The latest record of each of `asked` under a token, by identifier. */
export async function readBack(asked, token) {
  const found = await Promise.all(
    asked.map(async ({ collection, identifier }) => {
      const query = new URLSearchParams({ token, service: collection, identifier });
      const answer = await fetch(`${base}/v1/app/consent/${project}?${query}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new TypeError(String(answer.status));
      const consent = await answer.json();
      return consent.consentId ? [[identifier, toEntry(consent)]] : [];
    }),
  );
  return new Map(found.flat());
}

/** The records that were read back on this device, newest first. */
export function history() {
  try {
    return JSON.parse(localStorage.getItem(historyKey) ?? "[]");
  } catch {
    // Storage is blocked or damaged: there is no history.
    return [];
  }
}

/** Adds records to the history; returns the new ones. */
export function remember(consents) {
  const known = history();
  const fresh = consents
    .filter(({ consentId }) => known.every((one) => one.consentId !== consentId))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  if (fresh.length === 0) return fresh;
  try {
    localStorage.setItem(historyKey, JSON.stringify([...fresh, ...known].slice(0, HISTORY_MAX)));
  } catch {
    // Storage is blocked or full: the history is lost with the page.
  }
  return fresh;
}

/** Removes everything that the widget and this page store in this browser. */
export function forget() {
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    if (name.startsWith("axeptio_")) document.cookie = `${name}=;path=/;max-age=0`;
  }
  for (const key of Object.keys(localStorage))
    if (/^(avow|axeptio_)/.test(key)) localStorage.removeItem(key);
}

/** The fields of a record that the page shows, and the time at which it was first seen here. */
function toEntry(consent) {
  const { consentId, identifier, token, accept, preferences, createdAt, version, grade } = consent;
  const seenAt = history().find((one) => one.consentId === consentId)?.seenAt ?? Date.now();
  const links = { proof: new URL(consent.links.proof).search };
  links.proof = `${base}/v1/app/proofs/${consentId}${links.proof}`;
  return {
    consentId,
    identifier,
    token,
    accept,
    preferences,
    createdAt,
    version,
    grade,
    links,
    seenAt,
  };
}
