import type { ConsentOut } from "@avow/contract/consents";
import type { Site } from "./site.ts";

const BATCH = 500;

/**
 * Stores consents of `count` new visitors with the site's answers in rotation; returns the visitors' tokens.
 * They are collected in batches, like an offline queue.
 */
export async function fillAvow(site: Site, count: number): Promise<string[]> {
  const { projectId, identifier, consents } = site;
  const client = site.client.withToken(undefined);
  const tokens: string[] = [];
  while (tokens.length < count) {
    const first = tokens.length;
    const json = Array.from({ length: Math.min(BATCH, count - first) }, (_, n) => ({
      ...consents[(first + n) % consents.length],
      id: crypto.randomUUID(),
      collection: "cookies",
      identifier,
    }));
    const kept = await client.send<Partial<ConsentOut>[]>(`/v1/app/consents/${projectId}`, {
      json,
    });
    for (const { token } of kept) {
      if (token === undefined)
        throw new Error(`A consent was not kept: ${JSON.stringify(kept[0])}`);
      tokens.push(token);
    }
  }
  return tokens;
}
