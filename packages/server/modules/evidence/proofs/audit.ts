import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../../platform/db/db.ts";
import { listRecorded } from "../../consents/commitments/recorded.ts";
import {
  type PlacedConsent,
  type PlacedDocument,
  findNextProject,
  findWaiting,
  hasSalt,
  listCheckedPublications,
  listPlacedConsents,
  listPlacedDocuments,
  listUnlogged,
  readConsentsPage,
} from "./audit-store.ts";
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

/** Something that does not hold. */
export interface Finding {
  name:
    | "record"
    | "document"
    | "leaf-twice"
    | "leaf-unexplained"
    | "not-logged"
    | "publication"
    | "waiting";
  /** In a sentence, which names ids and nothing personal. */
  says: string;
}

/** How much was looked at. */
export interface AuditTally {
  /** Consents, documents and publications of which the entry was made again. */
  places: number;
  /** Consents that were looked up in the log. */
  consents: number;
  publications: number;
  erased: number;
  findings: number;
}

export interface AuditOptions {
  db: Db;
  /** Leaves of the tree that is to be explained. */
  size: number;
  onFinding: (finding: Finding) => void;
  onProgress?: (tally: Readonly<AuditTally>) => void;
  signal?: AbortSignal;
  /** How long what waits may wait while it is looked at. */
  waitMs?: number;
}

interface Audit extends AuditOptions {
  facts: Facts;
  tally: AuditTally;
  leaves: Leaves;
  /** Counts and tells what does not hold. */
  tell: (name: Finding["name"], says: string) => void;
}

/**
 * Holds what is kept against the log: every record and document makes the entry at its leaf, every leaf
 * has one or was erased, every consent has a leaf or waits for one, and what was published has its hash.
 * The service may run meanwhile; what is erased under its hands is no finding. Pages by key; a bit or two
 * in memory for each leaf.
 */
export async function auditRecords(options: AuditOptions): Promise<AuditTally> {
  const tally = { places: 0, consents: 0, publications: 0, erased: 0, findings: 0 };
  const audit: Audit = {
    ...options,
    facts: openFacts(),
    tally,
    leaves: openLeaves(options.size),
    tell(name, says) {
      tally.findings += 1;
      options.onFinding({ name, says });
    },
  };
  await auditPlaces(audit);
  // After the records: one that was erased since it was looked for is named by an erasure that is there now.
  await auditDocuments(audit);
  for (const { first, last } of audit.leaves.listUnexplained()) {
    const leaf = first === last ? `Leaf ${first} has` : `Leaves ${first} to ${last} have`;
    audit.tell(
      "leaf-unexplained",
      `${leaf} no record and no document, and no erasure names ${first === last ? "it" : "them"}.`,
    );
  }
  await auditConsents(audit);
  await auditPublications(audit);
  await auditWaiting(audit);
  return tally;
}

async function auditPlaces(audit: Audit): Promise<void> {
  for (let after = { consentId: firstId, projectId: "" }; ;) {
    const rows = await listPlacedConsents(audit.db, after, PLACES_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    await auditPage(audit, rows);
    tick(audit, { places: rows.length });
    after = { consentId: last.consent_id, projectId: last.project_id };
  }
}

/** Tells how far it has come; throws when it is to end. */
function tick({ tally, onProgress, signal }: Audit, done: Partial<AuditTally>): void {
  signal?.throwIfAborted();
  for (const name of ["places", "consents", "publications"] as const)
    tally[name] += done[name] ?? 0;
  onProgress?.(tally);
}

async function auditPage(audit: Audit, rows: readonly PlacedConsent[]): Promise<void> {
  const { db, facts } = audit;
  const recorded = await listRecorded(
    db,
    rows.map((row) => row.project_id),
    rows.map((row) => row.consent_id),
  );
  const byKey = new Map(recorded.map((row) => [`${row.project_id} ${row.id}`, row]));
  for (const place of rows) {
    const { project_id: projectId, consent_id: consentId, leaf, salt, entry } = place;
    const record = byKey.get(`${projectId} ${consentId}`);
    takeLeaf(audit, leaf, `consent ${consentId}`);
    const lack = record
      ? await findLack(async () => {
          const text = toConsentText(record, await facts.factsOf(db, record));
          return isEntry(entry, text, salt);
        })
      : "has no record any more";
    if (lack === undefined || !(await hasSalt(db, { projectId, consentId }))) continue;
    audit.tell("record", `Consent ${consentId} of project ${projectId}, leaf ${leaf}, ${lack}.`);
  }
}

/** What is wrong with a record, to follow its name; undefined where it makes its entry. */
async function findLack(isSame: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await isSame()) ? undefined : "is not what the log committed to";
  } catch (error) {
    if (error instanceof MissingFactError)
      return `refers to what is not there any more: ${error.message}`;
    throw error;
  }
}

function isEntry(entry: Buffer | null, canonical: string, salt: Uint8Array): boolean {
  return entry !== null && entry.equals(toEntry(canonical, salt));
}

function takeLeaf({ leaves, tell }: Audit, leaf: number, what: string): void {
  if (!leaves.take(leaf)) tell("leaf-twice", `Leaf ${leaf} is that of another, and of ${what}.`);
}

async function auditDocuments(audit: Audit): Promise<void> {
  for (let after = { projectId: "", name: "" }; ;) {
    const rows = await listPlacedDocuments(audit.db, after, DOCUMENTS_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) auditDocument(audit, row);
    tick(audit, { places: rows.length });
    after = { projectId: last.project_id, name: last.name };
  }
}

/** An erasure that the log does not bear out explains nothing; one that waits for the log does. */
function auditDocument(audit: Audit, row: PlacedDocument): void {
  const { project_id: projectId, name, document, leaf, salt, entry } = row;
  if (leaf !== null) takeLeaf(audit, leaf, name);
  if (leaf !== null && !(salt && isEntry(entry, toCanonical(document), salt))) {
    const of = projectId === "" ? "" : ` of project ${projectId}`;
    audit.tell("document", `${name}${of}, leaf ${leaf}, is not what the log committed to.`);
  } else
    for (const erased of listErased(document)) audit.tally.erased += audit.leaves.erase(erased);
}

/** The leaves that a document says were erased. */
function listErased(document: PlacedDocument["document"]): number[] {
  const { type, leaves } = document;
  if (type !== "erasure" || !Array.isArray(leaves)) return [];
  return leaves.filter((leaf): leaf is number => typeof leaf === "number");
}

async function auditConsents(audit: Audit): Promise<void> {
  const { db } = audit;
  for (let projectId = await findNextProject(db, ""); projectId !== undefined;) {
    for (let after = firstId; ;) {
      const page = await readConsentsPage(db, { projectId, id: after }, CONSENTS_PER_PAGE);
      if (page.last === null) break;
      after = page.last;
      const missing =
        page.missing.length > 0 ? await listUnlogged(db, projectId, page.missing) : [];
      for (const id of missing)
        audit.tell(
          "not-logged",
          `Consent ${id} of project ${projectId} is not in the log, and does not wait for it.`,
        );
      tick(audit, { consents: page.count });
    }
    projectId = await findNextProject(db, projectId);
  }
}

async function auditPublications(audit: Audit): Promise<void> {
  for (let after = { projectId: "", environment: "", version: 0 }; ;) {
    const rows = await listCheckedPublications(audit.db, after, DOCUMENTS_PER_PAGE);
    const last = rows.at(-1);
    if (!last) return;
    for (const row of rows) {
      const what = `Version ${row.version} (${row.environment}) of project ${row.project_id}`;
      if (!row.is_content_true) audit.tell("publication", `${what} has not the hash it says.`);
      else if (!row.is_told) audit.tell("publication", `${what}: the log has not its hash.`);
    }
    tick(audit, { publications: rows.length });
    after = { projectId: last.project_id, environment: last.environment, version: last.version };
  }
}

/** What waits is no finding as long as the log goes on. */
async function auditWaiting({ db, tell, waitMs = WAIT_MS, signal }: Audit): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const { isWaiting, count, idleSeconds } = await findWaiting(db);
    if (!isWaiting || idleSeconds < IDLE_SECONDS_MAX) return;
    if (performance.now() >= until)
      return tell(
        "waiting",
        `${count} ${count === 1 ? "entry waits" : "entries wait"} for the log, and no tree was signed for ${Math.round(idleSeconds / 60)} minutes. Is the service running?`,
      );
    await delay(POLL_MS);
  }
}
