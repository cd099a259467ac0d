import { path } from "../../browser/router.ts";

/** The address of this screen with what is asked of it; empty fields are left out. */
export function toSearch(asked: Readonly<Record<string, string>>): string {
  const filled = Object.entries(asked).filter(([, value]) => value !== "");
  return `${path.peek()}?${new URLSearchParams(filled).toString()}`;
}

/** The address of a token's own screen. */
export function toTokenPath(projectId: string, token: string): string {
  return `/projects/${projectId}/consents/${encodeURIComponent(token)}`;
}
