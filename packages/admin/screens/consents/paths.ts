import { path } from "../../browser/router.ts";

/** The current path with query parameters, without empty ones. */
export function toSearch(asked: Readonly<Record<string, string>>): string {
  const filled = Object.entries(asked).filter(([, value]) => value !== "");
  return `${path.peek()}?${new URLSearchParams(filled).toString()}`;
}

/** The path of a token's screen. */
export function toTokenPath(projectId: string, token: string): string {
  return `/projects/${projectId}/consents/${encodeURIComponent(token)}`;
}
