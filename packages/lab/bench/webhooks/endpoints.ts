import { randomBytes } from "node:crypto";
import type { Client } from "../../instance/requests.ts";
import type { Report, Deliveries } from "./reports.ts";

/** The behaviour of a receiver. */
export type Kind = "healthy" | "dead" | "slow" | "flapping";

/** A project with one webhook for its consents. */
export interface Endpoint {
  kind: Kind;
  /** Its path at the receiver. */
  path: string;
  projectId: string;
  processing: string;
  /** The ids of its collected consents. */
  collected: string[];
}

const POOR_KINDS = ["dead", "slow", "flapping"] as const;

/** The kinds of endpoints: a tenth each is dead, slow and flapping. */
export function toKinds(count: number): Kind[] {
  return Array.from({ length: count }, (_, at) => POOR_KINDS[at % 10] ?? "healthy");
}

/** Creates a user; returns a client with their token. */
export async function signUp(client: Client): Promise<Client> {
  const json = { email: "bench@avow.example", password: randomBytes(24).toString("hex") };
  const { token } = await client.send<{ token: string }>("/v1/auth/local/signup", { json });
  return client.withToken(token);
}

/** Creates a project with a webhook for its consents, for each kind. */
export async function makeEndpoints(
  client: Client,
  { kinds, receiver }: { kinds: readonly Kind[]; receiver: string },
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (const [at, kind] of kinds.entries()) {
    const make = (path: string, json: object) =>
      client.send<{ id: string }>(`/v1/${path}`, { json });
    const project = { websiteURL: "https://shop.example", title: `Shop ${at}` };
    const { id: projectId } = await make("vault/projects", project);
    const { id: processing } = await make("vault/processings", {
      projectId,
      title: "News",
      language: "en",
      purpose: "Send news",
      personalDataTypes: ["email"],
      processors: [{ name: "Mailer", role: "sends" }],
      consentWithdraw: "Write to us",
      accept: "Yes",
      storageDuration: 12,
    });
    const path = `/${kind}/${at}`;
    // Nothing listens on the discard port.
    const url = kind === "dead" ? "http://127.0.0.1:9/" : receiver + path;
    await make("webhooks", { url, events: ["consent.created"], projectId });
    endpoints.push({ kind, path, projectId, processing, collected: [] });
  }
  return endpoints;
}

/** Collects consents of a project in one batch, of its visitors in rotation. */
export async function collect(
  client: Client,
  { projectId, processing, collected }: Endpoint,
  { count, visitors }: { count: number; visitors: number },
): Promise<void> {
  const json = Array.from({ length: count }, (_, n) => ({
    id: randomBytes(8).toString("hex"),
    collection: "processings",
    identifier: processing,
    token: `visitor-${(collected.length + n) % visitors}`,
    accept: n % 2 === 0,
  }));
  const path = `/v1/app/consents/${projectId}`;
  const results = await client.withToken(undefined).send<{ consentId?: string }[]>(path, { json });
  const ids = results.flatMap(({ consentId }) => consentId ?? []);
  if (ids.length !== count) throw new Error(`${count - ids.length} consents were not collected`);
  collected.push(...ids);
}

async function ask<T>(address: string): Promise<T> {
  return (await (await fetch(address, { signal: AbortSignal.timeout(60_000) })).json()) as T;
}

/** The receiver's report since the last call. */
export function readReport(receiver: string): Promise<Report> {
  return ask(receiver);
}

/** Ids of consents that the receiver has not accepted, by path; empty paths are omitted. */
export async function listMissing(
  receiver: string,
  endpoints: readonly Endpoint[],
): Promise<Record<string, string[]>> {
  const taken = await ask<Deliveries>(`${receiver}/taken`);
  const missing = endpoints.map(({ path, collected }) => {
    const came = new Set(taken[path]);
    return [path, collected.filter((id) => !came.has(id))] as const;
  });
  return Object.fromEntries(missing.filter(([, ids]) => ids.length > 0));
}
