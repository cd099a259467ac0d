import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { paths, withHost } from "@avow/contract/urls";
import { readObject, readText } from "@avow/contract/json";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import type { Scope } from "../../../kernel/actor.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { PostError, type Poster } from "../../../platform/outbound/post.ts";
import { getDocument, lockForChange } from "../documents/access.ts";
import {
  type DomainRow,
  deleteDomain,
  findDomain,
  isTaken,
  listDomainsCheckedBefore,
  putDomain,
  updateDomain,
} from "./domains-store.ts";

const NONCE_BYTES = 24;
const CHECKED_MS = 20 * 3_600_000;
/** Limits of one run; the next run continues. A host that does not answer takes 20 seconds. */
const RUN_MAX = 500;
const RUN_MS_MAX = 600_000;

const checker = { kind: "system", name: "domains" } as const;

/** Dependencies of the domains of organizations. */
export interface DomainsApp {
  db: Db;
  now: () => Date;
  publicUrl: string;
  /** The service's secret, which its nodes share. */
  secret: Buffer;
  poster: Pick<Poster, "post">;
}

/** Proves that a request with this nonce reached an installation with this secret. */
export function toProof(secret: Buffer, nonce: string): string {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "avow domains", 32));
  return createHmac("sha256", key).update(nonce).digest("base64url");
}

/**
 * Sets the domain of an organization to a host and checks whether it leads here. It is stored in any case: a proxy may
 * issue a certificate only for a known one.
 * @throws Fault not-found, forbidden (for owners)
 */
export async function setDomain(
  ctx: Ctx,
  { organizationId, host, fault }: { organizationId: string; host: string; fault: string | null },
): Promise<DomainRow> {
  await lockForChange(ctx, { resource: "organizations", id: organizationId, right: "own" });
  const checked = { organization_id: organizationId, host, checked_at: ctx.now, fault };
  const row = await assignHost(ctx.tx, checked);
  await putDomain(ctx.tx, row);
  await recordDomain(ctx, "domain.set", row);
  return row;
}

/** The domain of an organization. @throws Fault not-found (also without one), forbidden (for owners) */
export async function getDomain(db: Db, scope: Scope, id: string): Promise<DomainRow> {
  await getDocument(db, scope, { resource: "organizations", id, right: "own" });
  const found = await findDomain(db, id);
  if (!found) throw toMissing();
  return found;
}

const toMissing = () => new Fault("not-found", "The organization has no domain.");

/** Removes the domain of an organization: new links start with the service's own address. @throws Fault as `getDomain` */
export async function removeDomain(ctx: Ctx, id: string): Promise<void> {
  await lockForChange(ctx, { resource: "organizations", id, right: "own" });
  const removed = await deleteDomain(ctx.tx, id);
  if (!removed) throw toMissing();
  await recordDomain(ctx, "domain.removed", removed);
}

/**
 * Checks whether a host leads to this installation, by a request that only it can answer. Returns the reason if it does
 * not, else null.
 */
export async function checkHost(
  { publicUrl, secret, poster }: Pick<DomainsApp, "publicUrl" | "secret" | "poster">,
  host: string,
): Promise<string | null> {
  const nonce = randomBytes(NONCE_BYTES).toString("base64url");
  const url = new URL(withHost(publicUrl, host) + paths.domainChallenge);
  try {
    const { status, answer } = await poster.post(url, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ nonce }),
      signal: new AbortController().signal,
    });
    if (status === 200 && isProof(answer, toProof(secret, nonce))) return null;
    return `it answered ${status}, and is not this service`;
  } catch (error) {
    if (error instanceof PostError) return error.message;
    throw error;
  }
}

function isProof(answer: Buffer, expected: string): boolean {
  try {
    return readText(readObject(JSON.parse(answer.toString()))["proof"]) === expected;
  } catch {
    // Another server answered, with something else than JSON.
    return false;
  }
}

/** Checks every domain once a day: one that leads elsewhere, such as an expired one, is in no link. */
export async function recheckDomains(app: DomainsApp): Promise<void> {
  const before = new Date(app.now().getTime() - CHECKED_MS);
  const end = performance.now() + RUN_MS_MAX;
  for (const row of await listDomainsCheckedBefore(app.db, { before, limit: RUN_MAX })) {
    if (performance.now() > end) return;
    const fault = await checkHost(app, row.host);
    const now = app.now();
    await inTransaction(app.db, async (tx) => {
      const checked = await assignHost(tx, { ...row, checked_at: now, fault });
      const isStored = await updateDomain(tx, checked);
      if (!isStored || (checked.fault === null) === (row.fault === null)) return;
      const ctx = toCtx({ tx, actor: checker, now, requestId: undefined });
      await recordDomain(ctx, checked.fault === null ? "domain.found" : "domain.lost", checked);
    });
  }
}

/** A host that leads here is that of the first organization which it was found for. */
async function assignHost(tx: Tx, row: DomainRow): Promise<DomainRow> {
  if (row.fault !== null || !(await isTaken(tx, row))) return row;
  return { ...row, fault: "another organization of this service has it" };
}

async function recordDomain(
  ctx: Ctx,
  name: `domain.${"set" | "removed" | "found" | "lost"}`,
  { organization_id: documentId, host, fault }: DomainRow,
): Promise<void> {
  const data = { host, ...(fault !== null && { fault }) };
  await recordEvent(ctx, { name, documentId, data });
}
