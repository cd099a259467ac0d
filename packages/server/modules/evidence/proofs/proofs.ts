import type { Scope } from "../../../kernel/actor.ts";
import type { Planes } from "../../../platform/db/db.ts";
import type { CursorPage } from "../../../kernel/page.ts";
import { getProvenProject } from "../../consents/commitments/recorded.ts";
import { listRecordsAfter } from "../../consents/read/registry.ts";
import { findLogSize } from "../log/placed.ts";
import { listLeaves } from "../log/store.ts";

/** A consent of a token, and its leaf in the log. */
export interface ListedProof {
  consentId: string;
  createdAt: Date;
  /** Null until the consent is sequenced. */
  leaf: number | null;
}

/**
 * A page of the proofs of a token, newest first.
 * @throws Fault not-found or forbidden as the project's; invalid for a cursor of another list
 */
export async function listProofs(
  { db, data }: Planes,
  scope: Scope,
  query: { projectId: string; token: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<ListedProof>> {
  const { projectId, token, limit, cursor = "" } = query;
  await getProvenProject(db, scope, projectId);
  const window = { order: "desc", limit, cursor } as const;
  const page = await listRecordsAfter(data, { projectId, token }, window);
  const ids = page.items.map(({ id }) => id);
  const size = await findLogSize(data);
  const leaves = await listLeaves(data, projectId, ids);
  const toLeaf = (id: string) => leaves.get(id)?.leaf ?? size;
  const items = page.items.map(({ id, createdAt }) => ({
    consentId: id,
    createdAt,
    leaf: toLeaf(id) < size ? toLeaf(id) : null,
  }));
  return { ...page, items };
}
