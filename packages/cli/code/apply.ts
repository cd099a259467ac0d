import { randomUUID } from "node:crypto";
import type { Client } from "@avow/client";
import { Problem } from "@avow/client/problem";
import { type JsonObject, readObjects } from "@avow/contract/json";
import { CommandError, toReason } from "../terminal/errors.ts";
import type { Progress } from "../terminal/progress.ts";
import type { WireDocument } from "./files/kinds.ts";
import type { Change, Plan, ProjectPlan } from "./plan/plan.ts";
import { describe } from "./plan/report.ts";
import type { StoredDocument } from "./plan/stored.ts";
import { type KnownVendor, type KnownVendors, withVendorIds } from "./plan/vendors.ts";

interface ApplyContext {
  client: Client;
  progress: Progress;
  signal: AbortSignal;
  /** Descriptions of the changes that were made. */
  done: string[];
}

/** A project after its changes. */
export interface AppliedProject {
  id: string;
  title: string;
}

/**
 * Makes the changes of a plan, each only if its document is as it was planned.
 * @throws CommandError that lists what was changed before, and what was not
 */
export async function applyPlan(
  client: Client,
  plan: Plan,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<AppliedProject[]> {
  const applying: ApplyContext = { client, progress, signal, done: [] };
  const { shared, projects } = plan;
  const total = [shared, ...projects].flatMap(({ changes }) => changes).length;
  try {
    const vendors = new Map(shared.vendors);
    const owner = { organizationId: plan.organizationId };
    for (const change of shared.changes.filter(isNoDeletion))
      await write(applying, change, { parents: owner, vendors });
    const applied: AppliedProject[] = [];
    for (const project of projects)
      applied.push(await applyProject(applying, project, { plan, shared: vendors }));
    for (const change of shared.changes)
      if (change.action === "delete") await remove(applying, change);
    return applied;
  } catch (error) {
    if (applying.done.length === 0) throw error;
    const { done } = applying;
    const made = done.map((text) => `  ${text}`).join("\n");
    throw new CommandError(
      `${toReason(error)}\nStopped after ${done.length} of ${total} changes. These were made, and stay:\n${made}`,
    );
  }
}

async function applyProject(
  applying: ApplyContext,
  { changes, stored, title, vendors: known }: ProjectPlan,
  { plan, shared }: { plan: Plan; shared: KnownVendors },
): Promise<AppliedProject> {
  const vendors = new Map(known);
  for (const [name, { id, next }] of shared)
    if (vendors.get(name)?.id === undefined && id !== undefined) vendors.set(name, { id, next });
  let id = stored?.id;
  for (const change of changes.filter(isNoDeletion)) {
    const isProject = change.kind.kind === "project";
    const organizationId = stored ? stored.organizationId : (plan.organizationId ?? null);
    const parents = isProject ? { organizationId } : { projectId: id };
    const written = await write(applying, change, { parents, vendors });
    if (isProject) id = written.id;
  }
  for (const change of changes) if (change.action === "delete") await remove(applying, change);
  if (id === undefined) throw new Error("a new project was not created");
  return { id, title };
}

type Write = Exclude<Change, { action: "delete" }>;
function isNoDeletion(change: Change): change is Write {
  return change.action !== "delete";
}

async function write(
  applying: ApplyContext,
  change: Write,
  { parents, vendors }: { parents: JsonObject; vendors: Map<string, KnownVendor> },
): Promise<WireDocument> {
  const { client, signal, progress, done } = applying;
  const { kind, file, name } = change;
  const body = { ...withVendorIds(file, vendors), ...parents };
  const text = describe(change);
  const written = await (
    change.action === "create"
      ? client.send(kind.create, { body, idempotencyKey: randomUUID() }, { signal })
      : replace(applying, change, body)
  ).catch((error: unknown) => {
    throw toConflict(error, text);
  });
  if (kind.kind === "vendor") vendors.set(name, { id: written.id, next: undefined });
  if (change.action === "create" && kind.identity === "name" && written["name"] !== name) {
    await removeDuplicate(applying, change, written);
    throw new CommandError(`Conflict: another ${text} was created after the plan. Plan again.`);
  }
  done.push(`${change.action === "create" ? "created" : "changed"} ${text}`);
  progress.say(`✓ ${done.at(-1)}`);
  for (const { path, message } of readObjects(written["warnings"]))
    progress.say(`  ! ${file.file}: ${String(path)} ${String(message)}`);
  return written;
}

async function replace(
  applying: ApplyContext,
  { kind, stored }: Extract<Change, { action: "update" }>,
  body: JsonObject,
): Promise<WireDocument> {
  const { client, signal } = applying;
  const ifMatch = await readTag(applying, kind, stored);
  const path = { documentId: stored.id };
  return client.send(kind.replace, { path, body, ifMatch }, { signal });
}

async function remove(
  applying: ApplyContext,
  change: Extract<Change, { action: "delete" }>,
): Promise<void> {
  const { client, signal, progress, done } = applying;
  const { kind, stored } = change;
  if (!kind.remove) throw new Error(`documents of the kind ${kind.kind} are never deleted`);
  const text = describe(change);
  try {
    const ifMatch = await readTag(applying, kind, stored);
    await client.send(kind.remove, { path: { documentId: stored.id }, ifMatch }, { signal });
  } catch (error) {
    throw toConflict(error, text);
  }
  done.push(`deleted ${text}`);
  progress.say(`✓ ${done.at(-1)}`);
}

/** Someone gave the name to another document between plan and write, so that the service chose the next free one. */
async function removeDuplicate(
  { client, signal }: ApplyContext,
  { kind }: Write,
  { id }: WireDocument,
): Promise<void> {
  if (kind.remove) await client.send(kind.remove, { path: { documentId: id } }, { signal });
}

/** The entity tag of a document. @throws CommandError when it has another version than the plan */
async function readTag(
  { client, signal }: ApplyContext,
  kind: Change["kind"],
  { id, version }: StoredDocument,
): Promise<string> {
  const input = { path: { documentId: id } };
  const { body, headers } = await client.sendWhole(kind.get, input, { signal });
  if (body.version !== version)
    throw new Problem("stale", { status: 412, detail: "The document has a newer version." });
  return headers.get("etag") ?? "";
}

function toConflict(error: unknown, text: string): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.status === 412)
    return new CommandError(`Conflict: the ${text} was changed after the plan. Plan again.`);
  if (error.status === 404)
    return new CommandError(`Conflict: the ${text} was deleted after the plan. Plan again.`);
  const details = error.errors.map(({ path, message }) => `\n  ${path} ${message}`).join("");
  return new CommandError(`The service rejected the ${text}: ${error.detail}${details}`);
}
