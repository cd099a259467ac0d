import { ask } from "../../bench/measure/database.ts";
import type { Client } from "../../instance/requests.ts";

/** A magazine of the same organization, with advertisements and an unpaid invoice. */
export interface Journal {
  organizationId: string;
  projectId: string;
  /** With a step for partners of the TCF. */
  bannerId: string;
}

const steps = [
  {
    name: "welcome",
    layout: "welcome",
    topTitle: "The Glaze Journal",
    title: "Before you read on",
    message: "<p>Our articles are free because advertisements pay for them.</p>",
  },
  {
    name: "partners",
    layout: "iab",
    title: "Our partners",
    message: "<p>These companies show advertisements here and measure them.</p>",
  },
];

/**
 * Creates the magazine. With the URL of the service's database, its plan has an unpaid invoice; without it, its plan has no
 * step for partners.
 */
export async function addJournal(client: Client, database?: string): Promise<Journal> {
  const make = async (collection: string, json: object): Promise<string> =>
    (await client.send<{ id: string }>(`/v1/vault/${collection}`, { json })).id;
  const organizationId = await make("organizations", { name: "The Glaze Journal" });
  if (database !== undefined)
    await ask(
      database,
      `INSERT INTO subscriptions (organization_id, plan, status, current_period_end, updated_at, unpaid_since)
      VALUES ($1, 'pro', 'past_due', now() - interval '3 days', now(), now() - interval '3 days')`,
      [organizationId],
    );
  const websiteURL = "https://journal.hearth-and-clay.example";
  const title = "The Glaze Journal";
  const projectId = await make("projects", { websiteURL, title, organizationId });
  const bannerId = await make("cookies", {
    projectId,
    name: "readers",
    title: "Readers",
    language: "en",
    steps: database === undefined ? steps.slice(0, 1) : steps,
  });
  await make("tcf", { projectId, cmpId: 31, vendors: [11, 18, 60, 67, 88] });
  return { organizationId, projectId, bannerId };
}
