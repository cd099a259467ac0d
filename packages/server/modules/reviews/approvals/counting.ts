import type { Db, Tx } from "../../../platform/db/db.ts";
import type { FindApprovals } from "../../publish/publications/publishing.ts";
import { listHolders } from "../../vault/members/holders.ts";
import { nameOf } from "../authors.ts";
import { type DecisionRow, findSettings, listDecisionsOn } from "./approvals-store.ts";
import type { Settings } from "./schema.ts";

/** The settings of a project that has none of its own: no approval is required. */
const defaults: Settings = { required: 0, approvers: "editors", links: false };

export async function readSettings(db: Db | Tx, projectId: string): Promise<Settings> {
  return (await findSettings(db, projectId)) ?? defaults;
}

/** The ids of the users whose approvals count. */
export async function listApprovers(
  db: Db | Tx,
  projectId: string,
  { approvers }: Settings,
): Promise<ReadonlySet<string>> {
  const right = approvers === "owners" ? "own" : "approve";
  return (await listHolders(db, [projectId], right)).get(projectId) ?? new Set();
}

/**
 * Whether a decision is an approval by a person who may approve now: a member with the role, whose account was not
 * deleted, or a review link that was not revoked.
 */
export function isCounted(
  row: DecisionRow,
  { settings, approvers }: { settings: Settings; approvers: ReadonlySet<string> },
): boolean {
  if (row.decision !== "approved" || row.withdrawn_at !== null) return false;
  if (row.author_id !== null) return approvers.has(row.author_id) && nameOf(row) !== undefined;
  return settings.links && row.is_link_valid === true;
}

/** The approvals of a draft that count for a publication; undefined where none are required. */
export const findApprovals: FindApprovals = async (db, { projectId, publishedBy, toDigest }) => {
  const settings = await readSettings(db, projectId);
  if (settings.required === 0) return undefined;
  const digest = await toDigest();
  const approvers = await listApprovers(db, projectId, settings);
  const approvals = (await listDecisionsOn(db, { projectId, digest }))
    .filter((row) => isCounted(row, { settings, approvers }) && row.author_id !== publishedBy)
    .map((row) => ({
      id: row.id,
      name: nameOf(row) ?? "",
      approvedAt: row.created_at.toISOString(),
      ...(row.author_id === null ? {} : { userId: row.author_id }),
      ...(row.link_id === null ? {} : { linkId: row.link_id }),
    }));
  return { required: settings.required, digest, approvals };
};
