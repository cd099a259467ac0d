import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../instance/requests.ts";
import { toMs, toRate } from "../measure/report.ts";
import { type Endpoint, type Kind, collect, listMissing, readReport } from "./endpoints.ts";
import { type Report, newReport } from "./reports.ts";

const BATCH_MAX = 100;
/** Number of projects with concurrent batches in a burst. */
const AT_ONCE = 8;
/** Visitors of each project. Visitors return, and their events must arrive in order. */
const VISITORS = 50;
const QUIET_MS = 1_000;
const WAIT_MS_MAX = 30 * 60_000;

export interface Phase {
  title: string;
  events: number;
  /** Consents per second; Infinity: as fast as they are accepted. */
  rate: number;
  /** Number of times that the service is killed. */
  kills: number;
}

export interface PhaseContext {
  endpoints: readonly Endpoint[];
  receiver: string;
  client: Client;
  /** Kills and restarts the service. */
  kill: () => Promise<void>;
}

/** The results of a phase. */
export interface PhaseResult {
  row: string[];
  /** Errors, as sentences. */
  faults: string[];
}

/** Collects, waits until the healthy and flapping endpoints have received everything; returns a row of the table. */
export async function runPhase(run: PhaseContext, phase: Phase): Promise<PhaseResult> {
  const { endpoints, receiver } = run;
  process.stderr.write(`  ${phase.events} consents, ${phase.title} …\n`);
  // Discards deliveries of the previous phase.
  await readReport(receiver);
  const sums = newReport();
  const startMs = Date.now();
  const sent = await collectAll(run, phase);
  process.stderr.write(`  … collected in ${toSeconds(startMs)} s\n`);
  const of = (...kinds: Kind[]) => endpoints.filter(({ kind }) => kinds.includes(kind));
  const awaited = of("healthy", "flapping");
  const until = Date.now() + WAIT_MS_MAX;
  let missing = await listMissing(receiver, awaited);
  while (Object.keys(missing).length > 0 && Date.now() < until) {
    await delay(QUIET_MS);
    addReport(sums, await readReport(receiver));
    missing = await listMissing(receiver, awaited);
  }
  addReport(sums, await readReport(receiver));
  const lost = Object.entries(missing).map(([path, ids]) => `${path} missed ${ids.length}`);
  const renamed = sums.renamed > 0 ? [`${sums.renamed} arrived again with another webhook-id`] : [];
  const disordered = sums.disordered > 0 ? [`${sums.disordered} arrived out of order`] : [];
  return {
    row: toRow({ title: phase.title, sent, sums, startMs }),
    faults: [...lost, ...renamed, ...disordered],
  };
}

/** Collects for all projects in rotation; returns the number of consents. */
async function collectAll(
  { endpoints, client, kill }: PhaseContext,
  { events, rate, kills }: Phase,
): Promise<number> {
  const each = Math.ceil(events / endpoints.length);
  const pace = Math.min(BATCH_MAX, each, Math.max(1, Math.round(rate / 20)));
  const turns = Math.ceil(each / pace);
  const killAt = new Set(
    Array.from({ length: kills }, (_, n) => Math.floor((turns * (n + 1)) / (kills + 1))),
  );
  let sent = 0;
  let startMs = Date.now();
  for (let turn = 0; turn < turns; turn += 1) {
    if (killAt.has(turn)) {
      const killedMs = Date.now();
      await kill();
      // Excludes the time in which the service was down.
      startMs += Date.now() - killedMs;
    }
    const count = Math.min(pace, each - turn * pace);
    const width = Number.isFinite(rate) ? 1 : AT_ONCE;
    for (let at = 0; at < endpoints.length; at += width) {
      const aheadMs = (sent / rate) * 1_000 - (Date.now() - startMs);
      if (aheadMs > 0) await delay(aheadMs);
      const some = endpoints.slice(at, at + width);
      const options = { count, visitors: VISITORS };
      await Promise.all(some.map((endpoint) => collect(client, endpoint, options)));
      sent += count * some.length;
    }
  }
  return sent;
}

function toSeconds(startMs: number): string {
  return ((Date.now() - startMs) / 1_000).toFixed(1);
}

function addReport(sums: Report, report: Report): void {
  for (const [kind, count] of Object.entries(report.counts))
    sums.counts[kind] = (sums.counts[kind] ?? 0) + count;
  sums.duplicates += report.duplicates;
  sums.renamed += report.renamed;
  sums.disordered += report.disordered;
  sums.lastAtMs = Math.max(sums.lastAtMs, report.lastAtMs);
  for (const delayMs of report.delaysMs) sums.delaysMs.push(delayMs);
}

function toRow(shown: { title: string; sent: number; sums: Report; startMs: number }): string[] {
  const { title, sent, sums, startMs } = shown;
  const { counts, delaysMs, duplicates, lastAtMs } = sums;
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const at = (part: number) => toMs(sorted[Math.floor(sorted.length * part)] ?? Number.NaN);
  const counted = [counts["healthy"] ?? 0, counts["flapping"] ?? 0, counts["slow"] ?? 0].map(
    String,
  );
  const rate = toRate((counts["healthy"] ?? 0) / ((lastAtMs - startMs) / 1_000));
  return [title, String(sent), ...counted, rate, at(0.5), at(0.9), at(0.99), String(duplicates)];
}
