// A receiver of webhooks in a process of its own; forked. It answers by the first part of the path: healthy
// ones at once, slow ones after five seconds, flapping ones with 500 the first time for one in four.
// GET / tells what came, and forgets it.
import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const SLOW_MS = 5_000;
const FAILS_ONCE_OF = 4;

/** What came since it was last asked: how many, when the last came, and how late the healthy ones were. */
export interface Report {
  counts: Record<string, number>;
  duplicates: number;
  lastAtMs: number;
  delaysMs: number[];
}

async function answer(req: IncomingMessage, res: ServerResponse, text: string): Promise<void> {
  if (req.method === "GET") {
    res.end(JSON.stringify(report));
    report = newReport();
    return;
  }
  const [, kind = ""] = (req.url ?? "").split("/");
  const id = `${req.url ?? ""} ${String(req.headers["webhook-id"])}`;
  if (kind === "slow") await delay(SLOW_MS);
  const isUnlucky = createHash("sha256").update(id).digest().readUInt8(0) % FAILS_ONCE_OF === 0;
  if (kind === "flapping" && isUnlucky && !failed.has(id)) {
    failed.add(id);
    res.statusCode = 500;
    res.end();
    return;
  }
  res.end();
  note(kind, id, text);
}

function note(kind: string, id: string, text: string): void {
  if (taken.has(id)) {
    report.duplicates += 1;
    return;
  }
  taken.add(id);
  report.counts[kind] = (report.counts[kind] ?? 0) + 1;
  report.lastAtMs = Date.now();
  if (kind !== "healthy") return;
  const { timestamp } = JSON.parse(text) as { timestamp: string };
  report.delaysMs.push(Date.now() - Date.parse(timestamp));
}

const newReport = (): Report => ({ counts: {}, duplicates: 0, lastAtMs: 0, delaysMs: [] });
let report = newReport();
const taken = new Set<string>();
const failed = new Set<string>();

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
