import { randomBytes } from "node:crypto";
import type { Client } from "../../scripts/requests.ts";

/** A project with one webhook of its consents. */
export interface Endpoint {
  projectId: string;
  processing: string;
}

/** Parts of a hundred. */
const kinds = [
  { kind: "dead", part: 0.1 },
  { kind: "slow", part: 0.1 },
  { kind: "flapping", part: 0.1 },
] as const;

/** The kind of the webhook `at` of `count`. */
export function kindOf(at: number, count: number): string {
  let until = 0;
  for (const { kind, part } of kinds) {
    until += Math.round(count * part);
    if (at < until) return kind;
  }
  return "healthy";
}

/** A user; answers a caller with their token. */
export async function signUp(client: Client): Promise<Client> {
  const json = { email: "bench@avow.example", password: randomBytes(24).toString("hex") };
  const { token } = await client.send<{ token: string }>("/v1/auth/local/signup", { json });
  return client.withToken(token);
}

/** Makes so many projects, each with a webhook of its consents. */
export async function makeEndpoints(
  client: Client,
  { count, receiver }: { count: number; receiver: string },
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let at = 0; at < count; at += 1) {
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
    const kind = kindOf(at, count);
    // Nothing listens on the discard port.
    const url = kind === "dead" ? "http://127.0.0.1:9/" : `${receiver}/${kind}/${at}`;
    await make("webhooks", { url, events: ["consent.created"], projectId });
    endpoints.push({ projectId, processing });
  }
  return endpoints;
}

/** Collects consents of a project in one batch, each of another visitor. */
export async function collect(
  client: Client,
  { projectId, processing }: Endpoint,
  count: number,
): Promise<void> {
  const json = Array.from({ length: count }, () => ({
    id: randomBytes(8).toString("hex"),
    collection: "processings",
    identifier: processing,
    token: randomBytes(12).toString("hex"),
    accept: true,
  }));
  await client.withToken(undefined).send(`/v1/app/consents/${projectId}`, { json });
}
