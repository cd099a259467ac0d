// A webhook receiver in a separate process. The first part of the path determines the response: healthy
// ones respond immediately, slow ones after five seconds, flapping ones with 500 to the first attempt of one
// in four deliveries. GET / returns the deliveries since the last call; GET /taken the consents of each path, in order.
import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Deliveries, newReport } from "./reports.ts";

const SLOW_MS = 5_000;
const FAILS_ONCE_OF = 4;

let report = newReport();
const taken = new Map<string, { ids: Set<string>; consents: Set<string> }>();
const lastOf = new Map<string, string>();
const failed = new Set<string>();

async function answer(req: IncomingMessage, res: ServerResponse, text: string): Promise<void> {
  const path = req.url ?? "/";
  if (req.method === "GET") {
    const isTaken = path === "/taken";
    res.end(JSON.stringify(isTaken ? toTaken() : report));
    if (!isTaken) report = newReport();
    return;
  }
  const kind = path.split("/")[1] ?? "";
  const id = String(req.headers["webhook-id"]);
  const key = `${path} ${id}`;
  if (kind === "slow") await delay(SLOW_MS);
  const isUnlucky = createHash("sha256").update(key).digest().readUInt8(0) % FAILS_ONCE_OF === 0;
  if (kind === "flapping" && isUnlucky && !failed.has(key)) {
    failed.add(key);
    res.statusCode = 500;
    res.end();
    return;
  }
  // A sender that disconnected does not receive the response, and sends the delivery again.
  if (!res.destroyed) note({ kind, path, id, text });
  res.end();
}

function note(came: { kind: string; path: string; id: string; text: string }): void {
  const { kind, path, id, text } = came;
  const { timestamp, data } = JSON.parse(text) as {
    timestamp: string;
    data: { consentId: string; token: string };
  };
  const { consentId, token } = data;
  const own = taken.get(path) ?? { ids: new Set(), consents: new Set() };
  taken.set(path, own);
  if (own.ids.has(id)) {
    report.duplicates += 1;
    return;
  }
  if (own.consents.has(consentId)) report.renamed += 1;
  own.ids.add(id);
  own.consents.add(consentId);
  // The ids of consents sort by time.
  const visitor = `${path} ${token}`;
  if (consentId < (lastOf.get(visitor) ?? "")) report.disordered += 1;
  lastOf.set(visitor, consentId);
  report.counts[kind] = (report.counts[kind] ?? 0) + 1;
  if (kind !== "healthy") return;
  report.lastAtMs = Date.now();
  report.delaysMs.push(Date.now() - Date.parse(timestamp));
}

function toTaken(): Deliveries {
  return Object.fromEntries([...taken].map(([path, { consents }]) => [path, [...consents]]));
}

const server = createServer((req, res) => {
  let text = "";
  req.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  req.on("end", () => void answer(req, res, text));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) process.send?.(`http://127.0.0.1:${address.port}`);
});
process.once("disconnect", () => process.exit(0));
