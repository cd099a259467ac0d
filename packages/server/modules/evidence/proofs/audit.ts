import { setTimeout as delay } from "node:timers/promises";
import { type AllPlanes, readAll } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../platform/db/db.ts";
import { listRecorded } from "../../consents/commitments/recorded.ts";
import {
  type PlacedConsent,
  type PlacedDocument,
  countQueued,
  findNextProject,
  findWaiting,
  hasSalt,
  listEntriesAt,
  listLoggedHashes,
  listPlacedConsents,
  listPlacedDocuments,
  listUnlogged,
  readConsentsPage,
} from "./audit-store.ts";
import { type CheckedPublication, listCheckedPublications } from "./published-store.ts";
import { toName } from "../log/sequence/publications.ts";
import { type Facts, MissingFactError, openFacts } from "../log/sequence/facts.ts";
import { type Leaves, openLeaves } from "../log/tree/leaves.ts";
import { toConsentText } from "@avow/contract/record";
import { toCanonical, toEntry } from "../log/tree/entry.ts";

const PLACES_PER_PAGE = 2_000;
const DOCUMENTS_PER_PAGE = 100;
const CONSENTS_PER_PAGE = 5_000;
const IDLE_SECONDS_MAX = 120;
const WAIT_MS = 20_000;
const POLL_MS = 500;
const firstId = "00000000-0000-0000-0000-000000000000";

/** A difference between the database and the log. */
export interface Finding {
  name:
    | "record"
    | "document"
    | "leaf-twice"
    | "leaf-unexplained"
    | "not-logged"
    | "publication"
    | "waiting";
  /** A sentence with ids and without personal data. */
  says: string;
}

/** Numbers of checked items. */
export interface AuditTally {
  /** Consents and documents whose entries were recomputed. */
  places: number;
  /** Consents that were looked up in the log. */
  consents: number;
  publications: number;
  erased: number;
  findings: number;
}

export interface AuditOptions extends AllPlanes {
  /** Size of the audited tree. */
  size: number;
  onFinding: (finding: Finding) => void;
  onProgress?: (tally: Readonly<AuditTally>) => void;
  signal?: AbortSignal;
  /** How long to wait for a stalled queue before it is a finding. */
  waitMs?: number;
}

interface Audit extends AuditOptions {
  facts: Facts;
  tally: AuditTally;
  leaves: Leaves;
  /** Counts and reports a finding. */
  report: (name: Finding["name"], says: string) => void;
}

/**
 * Compares the database with the log. Every record and document has to match the entry at its leaf; every leaf needs
 * a record, a document or an erasure; every consent needs a leaf or a row in the queue; every published version has
 * to match its hash. The service may run at the same time: concurrent erasures are no findings. Reads pages by key,
 * and needs about one bit of memory per leaf.
 */
export async function auditRecords(options: AuditOptions): Promise<AuditTally> {
  const tally = { places: 0, consents: 0, publications: 0, erased: 0, findings: 0 };
  const audit: Audit = {
    ...options,
    facts: openFacts(),
    tally,
    leaves: openLeaves(options.size),
    report(name, says) {
      tally.findings += 1;
      options.onFinding({ name, says });
    },
  };
  for (const { data } of audit.buckets.list()) await auditPlaces(audit, data);
  // After the records, so that an erasure during the audit explains the records that it removed.
  await auditDocuments(audit);
  for (const { first, last } of audit.leaves.listUnexplained()) {
    const leaf = first === last ? `Leaf ${first} has` : `Leaves ${first} to ${last} have`;
    audit.report(
      "leaf-unexplained",
      `${leaf} no record and no document, and no erasure lists ${first === last ? "it" : "them"}.`,
    );
  }
  for (const { data } of audit.buckets.list()) await auditConsents(audit, data);
  await auditPublications(audit);
  await auditWaiting(audit);
  return tally;
}

async function auditPlaces(audit: Audit, data: DataDb): Promise<void> {
  for (let after = { consentId: firstId, projectId: "" }; ;) {
    const rows = await listPlacedConsents(data, after, PLACES_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    await auditPage(audit, data, rows);
    tick(audit, { places: rows.length });
    after = { consentId: last.consent_id, projectId: last.project_id };
  }
}

/** Reports progress. @throws the reason of `signal` if it is aborted */
function tick({ tally, onProgress, signal }: Audit, done: Partial<AuditTally>): void {
  signal?.throwIfAborted();
  for (const name of ["places", "consents", "publications"] as const)
    tally[name] += done[name] ?? 0;
  onProgress?.(tally);
}

async function auditPage(
  audit: Audit,
  data: DataDb,
  rows: readonly PlacedConsent[],
): Promise<void> {
  const { facts } = audit;
  const recorded = await listRecorded(
    data,
    rows.map((row) => row.project_id),
    rows.map((row) => row.consent_id),
  );
  const leaves = rows.map(({ leaf }) => leaf);
  const entries = await listEntriesAt(audit.buckets.home.data, leaves);
  const byKey = new Map(recorded.map((row) => [`${row.project_id} ${row.id}`, row]));
  for (const place of rows) {
    const { project_id: projectId, consent_id: consentId, leaf, salt } = place;
    const entry = entries.get(leaf) ?? null;
    // Its bucket has assigned the leaf, and the tree will have it.
    if (entry === null && leaf >= audit.size) continue;
    const record = byKey.get(`${projectId} ${consentId}`);
    takeLeaf(audit, leaf, `consent ${consentId}`);
    const lack = record
      ? await findLack(async () => {
          const text = toConsentText(record, await facts.factsOf(data, record));
          return isEntry(entry, text, salt);
        })
      : "has no record";
    if (lack === undefined || !(await hasSalt(data, { projectId, consentId }))) continue;
    audit.report("record", `Consent ${consentId} of project ${projectId}, leaf ${leaf}, ${lack}.`);
  }
}

/** The problem with a record, a predicate to follow its name; undefined if it matches its entry. */
async function findLack(isSame: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await isSame()) ? undefined : "is not what the log committed to";
  } catch (error) {
    if (error instanceof MissingFactError)
      return `refers to something that is missing: ${error.message}`;
    throw error;
  }
}

function isEntry(entry: Buffer | null, canonical: string, salt: Uint8Array): boolean {
  return entry !== null && entry.equals(toEntry(canonical, salt));
}

function takeLeaf({ leaves, report }: Audit, leaf: number, what: string): void {
  if (!leaves.take(leaf)) report("leaf-twice", `Leaf ${leaf} of ${what} is also that of another.`);
}

async function auditDocuments(audit: Audit): Promise<void> {
  for (let after = { projectId: "", name: "" }; ;) {
    const rows = await listPlacedDocuments(audit.buckets.home.data, after, DOCUMENTS_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) auditDocument(audit, row);
    tick(audit, { places: rows.length });
    after = { projectId: last.project_id, name: last.name };
  }
}

/** An erasure explains its leaves if it matches its entry, or is not sequenced yet. */
function auditDocument(audit: Audit, row: PlacedDocument): void {
  const { project_id: projectId, name, document, leaf, salt, entry } = row;
  if (leaf !== null) takeLeaf(audit, leaf, name);
  if (leaf !== null && !(salt && isEntry(entry, toCanonical(document), salt))) {
    const of = projectId === "" ? "" : ` of project ${projectId}`;
    audit.report("document", `${name}${of}, leaf ${leaf}, is not what the log committed to.`);
  } else
    for (const erased of listErased(document)) audit.tally.erased += audit.leaves.erase(erased);
}

/** The leaves that a document says were erased. */
function listErased(document: PlacedDocument["document"]): number[] {
  const { type, leaves } = document;
  if (type !== "erasure" || !Array.isArray(leaves)) return [];
  return leaves.filter((leaf): leaf is number => typeof leaf === "number");
}

async function auditConsents(audit: Audit, data: DataDb): Promise<void> {
  for (let projectId = await findNextProject(data, ""); projectId !== undefined;) {
    for (let after = firstId; ;) {
      const page = await readConsentsPage(data, { projectId, id: after }, CONSENTS_PER_PAGE);
      if (page.last === null) break;
      after = page.last;
      const missing =
        page.missing.length > 0 ? await listUnlogged(data, projectId, page.missing) : [];
      for (const id of missing)
        audit.report(
          "not-logged",
          `Consent ${id} of project ${projectId} is neither in the log nor queued for it.`,
        );
      tick(audit, { consents: page.count });
    }
    projectId = await findNextProject(data, projectId);
  }
}

/** The key of a version's document in the log. */
function toDocumentKey(row: CheckedPublication): { projectId: string; name: string } {
  return { projectId: row.project_id, name: toName(row.environment, row.version) };
}

async function auditPublications(audit: Audit): Promise<void> {
  for (let after = { projectId: "", environment: "", version: 0 }; ;) {
    const rows = await listCheckedPublications(audit.db, after, DOCUMENTS_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    const logged = await listLoggedHashes(audit.buckets.home.data, rows.map(toDocumentKey));
    for (const row of rows) {
      const { projectId, name } = toDocumentKey(row);
      const what = `Version ${row.version} (${row.environment}) of project ${row.project_id}`;
      if (!row.is_content_valid)
        audit.report("publication", `${what}: its content does not match its hash.`);
      else if (!logged.has(`${projectId} ${name} ${row.hash}`))
        audit.report("publication", `${what}: its hash is not in the log.`);
    }
    tick(audit, { publications: rows.length });
    after = { projectId: last.project_id, environment: last.environment, version: last.version };
  }
}

/** A queue is no finding as long as trees are signed. */
async function auditWaiting({ buckets, report, waitMs = WAIT_MS, signal }: Audit): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const { count: documents, idleSeconds } = await findWaiting(buckets.home.data);
    const queued = await readAll(buckets, async (data) => [await countQueued(data)]);
    const count = queued.reduce((sum, one) => sum + one, documents);
    if (count === 0 || idleSeconds < IDLE_SECONDS_MAX) return;
    if (performance.now() >= until)
      return report(
        "waiting",
        `${count} ${count === 1 ? "entry is" : "entries are"} queued for the log, and no tree was signed for ${Math.round(idleSeconds / 60)} minutes. Is the service running?`,
      );
    await delay(POLL_MS);
  }
}
