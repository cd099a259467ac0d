const TIMEOUT_MS = 15_000;

/** A request, without cookies unless told otherwise, which ends in 15 seconds. @throws where nothing answers */
export function request(url: string, more: RequestInit = {}): Promise<Response> {
  return fetch(url, { credentials: "omit", signal: AbortSignal.timeout(TIMEOUT_MS), ...more });
}
