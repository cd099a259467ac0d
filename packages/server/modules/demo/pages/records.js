const { base, project } = document.body.dataset;
const historyKey = `avow-demo-history-${project}`;
const HISTORY_MAX = 50;
const TIMEOUT_MS = 15_000;

/** The latest record of each of `asked` under a token, as the service has it, by identifier. */
export async function readBack(asked, token) {
  const found = await Promise.all(
    asked.map(async ({ collection, identifier }) => {
      const query = new URLSearchParams({ token, service: collection, identifier });
      const answer = await fetch(`${base}/v1/app/consent/${project}?${query}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new TypeError(String(answer.status));
      const consent = await answer.json();
      return consent.consentId ? [[identifier, toShown(consent)]] : [];
    }),
  );
  return new Map(found.flat());
}

/** The records that were read back on this device, newest first. */
export function history() {
  try {
    return JSON.parse(localStorage.getItem(historyKey) ?? "[]");
  } catch {
    // Blocked or broken: as if there were none.
    return [];
  }
}

/** Notes records in the history; answers those that are new to it. */
export function remember(consents) {
  const known = history();
  const fresh = consents
    .filter(({ consentId }) => known.every((one) => one.consentId !== consentId))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  if (fresh.length === 0) return fresh;
  try {
    localStorage.setItem(historyKey, JSON.stringify([...fresh, ...known].slice(0, HISTORY_MAX)));
  } catch {
    // Blocked or full: the history ends with the page.
  }
  return fresh;
}

/** Takes away all that the widget and this page keep in this browser. */
export function forget() {
  for (const cookie of document.cookie.split("; ")) {
    const [name = ""] = cookie.split("=");
    if (name.startsWith("axeptio_")) document.cookie = `${name}=;path=/;max-age=0`;
  }
  for (const key of Object.keys(localStorage))
    if (/^(avow|axeptio_)/.test(key)) localStorage.removeItem(key);
}

/** What the page shows of a record, and when it was first seen here. */
function toShown(consent) {
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
