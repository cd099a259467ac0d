import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ada } from "../lifecycle/checks.ts";
import { send } from "./requests.ts";

/** How a receiver behaves. */
export type Kind = "healthy" | "dead" | "slow" | "flapping";

/** A project with one webhook of its consents. */
export interface Endpoint {
  kind: Kind;
  projectId: string;
  processing: string;
  path: string;
}

/** A delivery that was taken with 200, the first time that it was. */
export interface Taken {
  webhookId: string;
  token: string;
  consentId: string;
}

const SLOW_MS = 5_000;
const FAILS_ONCE_OF = 4;

/** Takes what webhooks send, by the kind of each path: what was taken, and how often something came again. */
export async function openReceivers() {
  const taken = new Map<string, Taken[]>();
  const seen = new Set<string>();
  let repeated = 0;
  const take = async (path: string, id: string, text: string, res: ServerResponse) => {
    const kind = path.split("/")[1];
    const key = `${path} ${id}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    if (kind === "slow") await delay(SLOW_MS);
    if (kind === "flapping" && isFirst && toNumber(id) % FAILS_ONCE_OF === 0) {
      res.statusCode = 500;
      return res.end();
    }
    const { data } = JSON.parse(text) as { data: { token: string; consentId: string } };
    const list = taken.get(path) ?? [];
    if (list.some(({ webhookId }) => webhookId === id)) repeated += 1;
    else list.push({ webhookId: id, token: data.token, consentId: data.consentId });
    taken.set(path, list);
    return res.end();
  };
  const server = createServer((req, res) => {
    let text = "";
    req.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    req.on("end", () => void take(req.url ?? "", String(req.headers["webhook-id"]), text, res));
    req.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    taken,
    repeated: () => repeated,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function toNumber(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/** Makes a user with so many projects of each kind, each with a webhook of its consents. */
export async function makeEndpoints(
  address: string,
  receivers: string,
  counts: Record<Kind, number>,
): Promise<{ token: string; endpoints: Endpoint[] }> {
  const at = (path: string) => `${address}/v1/${path}`;
  const { token } = await send<{ token: string }>(at("auth/local/signup"), { json: ada });
  const kinds = (Object.keys(counts) as Kind[]).flatMap((kind) =>
    Array.from({ length: counts[kind] }, (_, n) => ({ kind, path: `/${kind}/${n}` })),
  );
  const endpoints: Endpoint[] = [];
  for (const { kind, path } of kinds) {
    const make = (where: string, json: object) => send<{ id: string }>(at(where), { token, json });
    const { id: projectId } = await make("vault/projects", {
      websiteURL: "https://shop.example",
      title: path,
    });
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
    // Nothing listens on the discard port.
    const url = kind === "dead" ? "http://127.0.0.1:9/" : receivers + path;
    await make("webhooks", { url, events: ["consent.created"], projectId });
    endpoints.push({ kind, projectId, processing, path });
  }
  return { token, endpoints };
}

/** Collects `count` consents of an endpoint's project, of `tokens` visitors in turn; answers their ids. */
export async function collectMany(
  address: string,
  { projectId, processing }: Endpoint,
  { count, tokens, name }: { count: number; tokens: number; name: string },
): Promise<string[]> {
  const json = Array.from({ length: count }, (_, n) => ({
    id: `${name}-${n}`,
    collection: "processings",
    identifier: processing,
    token: `visitor-${n % tokens}`,
    accept: n % 2 === 0,
  }));
  const results = await send<{ consentId?: string }[]>(`${address}/v1/app/consents/${projectId}`, {
    json,
  });
  return results.flatMap(({ consentId }) => consentId ?? []);
}
