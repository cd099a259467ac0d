import type { CheckedSite, NewSite } from "./check.ts";

/** The result of a row. */
export type SiteResult = { checked: CheckedSite } & (
  | { kind: "created"; id: string }
  | { kind: "failed"; error: unknown }
);

interface SiteCreation {
  /** Creates a project. A repeated key answers with the project of its first request. @returns its id */
  create: (site: NewSite, idempotencyKey: string) => Promise<string>;
  /** Called after each row. */
  onResult: (result: SiteResult) => void;
  /** Stops before the next row. */
  signal: AbortSignal;
}

/**
 * Creates the sites of checked rows one after the other; a row that fails stops no other. `text` is the table's: its rows
 * have the same idempotency keys each time it is read, so that nothing is created twice by repeating.
 */
export async function createSites(
  text: string,
  checked: readonly CheckedSite[],
  { create, onResult, signal }: SiteCreation,
): Promise<void> {
  for (const one of checked) {
    if (signal.aborted) return;
    try {
      const id = await create(one.site, await toKey(text, one));
      onResult({ checked: one, kind: "created", id });
    } catch (error) {
      if (signal.aborted) return;
      onResult({ checked: one, kind: "failed", error });
    }
  }
}

/** A key of the table, the line, and the site, which also depends on the names of organizations. */
async function toKey(text: string, { row, site }: CheckedSite): Promise<string> {
  // Browsers have it on pages by https and on those of their own machine.
  if (!("subtle" in crypto)) throw new Error("Open this page by https to create projects.");
  const input = new TextEncoder().encode(JSON.stringify([text, row.line, site]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", input));
  return `sites-${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
