const TIMEOUT_MS = 15_000;

/** Sends a request, by default without cookies, with a timeout of 15 seconds. @throws when there is no response */
export function request(url: string, more: RequestInit = {}): Promise<Response> {
  return fetch(url, { credentials: "omit", signal: AbortSignal.timeout(TIMEOUT_MS), ...more });
}
