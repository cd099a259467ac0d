import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@avow/contract/json";
import {
  type FieldPointer,
  openFieldsOf,
  readField,
  siteFieldsOf,
  withField,
  withoutFields,
} from "@avow/contract/open-fields";
import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { type EventName, recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type Right, isAllowed } from "../../../kernel/rights.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import {
  type Source,
  type StoredRow,
  countSites,
  deleteInherited,
  deleteLinks,
  findSource,
  listLinks,
  listSources,
  listStoredRows,
  replaceLinks,
  updateOverrides,
} from "../inheritance/inheritance-store.ts";
import {
  type PlannedDocument,
  type SitePlan,
  planSite,
  withOwnReferences,
} from "../inheritance/plan.ts";
import { diffBodies } from "../schemas/diff.ts";
import { type Resource, singleResources } from "../schemas/resources.ts";
import { type ProjectRow, getProject } from "./access.ts";
import {
  type DocumentRow,
  findDocument,
  insertDocument,
  lockDocument,
  updateDocument,
} from "./store.ts";

/** The part of the store that other modules may use. */
export { type StoredRow, countSites, listStoredRows } from "../inheritance/inheritance-store.ts";

/** Maximum number of sites of a template. */
const SITES_MAX = 1_000;
/** Maximum number of locked fields that an error names. */
const NAMED_MAX = 20;

/** Checks and sanitizes a body. @throws Fault invalid, with every error */
type Validate = (resource: string, body: JsonObject) => JsonObject;

/** Fields of a project that relate it to templates. A write that leaves them out does not change them. */
const templateFields = ["isTemplate", "templateId"] as const;

/** A project's body with its relation to templates: as sent, else as stored. */
export function keepTemplateFields(
  body: JsonObject,
  sent: JsonObject,
  present: DocumentRow | undefined,
): JsonObject {
  return templateFields.reduce((next, name) => {
    const value = name in sent ? next[name] : present?.body[name];
    return withField(next, `/${name}`, value === null || value === false ? undefined : value);
  }, body);
}

/** A project's body without its relation to templates. */
export function withoutTemplate(body: JsonObject): JsonObject {
  return withoutFields(
    body,
    templateFields.map((name) => `/${name}`),
  );
}

/** The template that a project follows. */
export function templateIdOf(project: { body: JsonObject } | undefined): string | undefined {
  const id = project?.body["templateId"];
  return typeof id === "string" ? id : undefined;
}

function isTemplate(project: { body: JsonObject } | undefined): boolean {
  return project?.body["isTemplate"] === true;
}

interface ProjectWrite {
  body: JsonObject;
  present: DocumentRow | undefined;
  /** After the write. */
  organizationId: string | null;
}

/**
 * Checks a change of a project's relation to templates. A site that moves to another organization leaves its template.
 * @throws Fault forbidden unless the caller owns the project; impossible (a template without an organization or of
 *   another one, or that follows one); conflict (a live project, sites that follow, too many sites)
 */
export async function settleTemplate(
  ctx: Ctx,
  { body, present, organizationId }: ProjectWrite,
): Promise<JsonObject> {
  const before = templateIdOf(present);
  const isMoving = present !== undefined && present.organization_id !== organizationId;
  const next = isMoving && templateIdOf({ body }) === before ? without(body, "templateId") : body;
  const after = templateIdOf({ body: next });
  const [was, is] = [isTemplate(present), isTemplate({ body: next })];
  if (present && (before !== after || was !== is)) await assertOwner(ctx, present.id);
  if (is && (!was || before !== after)) await assertCanBeTemplate(next, present, organizationId);
  if (present && was && (!is || isMoving)) await assertHasNoSites(ctx, present.id);
  if (after !== undefined && after !== before) await assertCanFollow(ctx, after, organizationId);
  return next;
}

function without(body: JsonObject, name: string): JsonObject {
  return withField(body, `/${name}`, undefined);
}

async function assertOwner(ctx: Ctx, id: string): Promise<void> {
  const held = await findDocument(ctx.tx, ctx.scope, { resource: "projects", id });
  if (held && isAllowed(held.roles, "own")) return;
  throw new Fault("forbidden", "Only an owner can change which template a project follows.");
}

async function assertCanBeTemplate(
  body: JsonObject,
  present: DocumentRow | undefined,
  organizationId: string | null,
): Promise<void> {
  const path = "/isTemplate";
  if (organizationId === null) {
    const message = "needs an organization, whose projects can follow the template";
    assertNoFaults([{ path, message }], "impossible");
  }
  if (templateIdOf({ body }) !== undefined)
    assertNoFaults(
      [{ path, message: "cannot be set while the project follows a template" }],
      "impossible",
    );
  if (present && present.live_version !== null)
    throw new Fault("conflict", "A template is not live itself. Unpublish the project first.");
}

/** @throws Fault conflict while sites follow the template */
async function assertHasNoSites(ctx: Ctx, templateId: string): Promise<void> {
  const count = await countSites(ctx.tx, templateId);
  if (count === 0) return;
  const sites = count === 1 ? "One site follows" : `${count} sites follow`;
  throw new Fault("conflict", `${sites} this template. Have them leave it first.`, {
    members: { sites: count },
  });
}

async function assertCanFollow(
  ctx: Ctx,
  templateId: string,
  organizationId: string | null,
): Promise<void> {
  // The template cannot end before the commit.
  await lockDocument(ctx.tx, templateId, "share");
  const held = await findDocument(ctx.tx, ctx.scope, { resource: "projects", id: templateId });
  const canFollow =
    held !== undefined &&
    isAllowed(held.roles, "read") &&
    isTemplate(held.row) &&
    organizationId !== null &&
    held.row.organization_id === organizationId;
  const message = "names no template of the project's organization that you may see";
  if (!canFollow) assertNoFaults([{ path: "/templateId", message }], "impossible");
  if ((await countSites(ctx.tx, templateId)) < SITES_MAX) return;
  throw new Fault("conflict", `A template can have at most ${SITES_MAX} sites.`);
}

/**
 * Rejects the change of a locked field, and keeps account of the open fields with the site's own values. Every write of
 * a document passes here.
 * @throws Fault conflict, with the locked fields and the template
 */
export async function checkLocks(ctx: Ctx, present: DocumentRow, body: JsonObject): Promise<void> {
  const source = await findOwnSource(ctx.tx, present);
  if (!source) return;
  const open = openFieldsOf(source.resource, source.body);
  const free = [...siteFieldsOf(source.resource), ...open];
  const locked = diffBodies(withoutFields(present.body, free), withoutFields(body, free));
  if (locked.length > 0) throw toLockedFault(source, [...new Set(locked.map(({ path }) => path))]);
  const changed = open.filter(
    (field) => !isDeepStrictEqual(readField(present.body, field), readField(body, field)),
  );
  if (changed.length === 0) return;
  const own = changed.filter(
    (field) => !isDeepStrictEqual(readField(body, field), readField(source.body, field)),
  );
  const others = source.overrides.filter((field) => !changed.includes(field));
  await updateOverrides(ctx.tx, present.id, [...others, ...own]);
}

/** The source of a site's document, whose references name the documents of the site. */
async function findOwnSource(tx: Tx, row: DocumentRow): Promise<Source | undefined> {
  const source = await findSource(tx, row.id);
  if (!source) return undefined;
  const links = await listLinks(tx, row.project_id ?? row.id);
  const ids = new Map(links.map((link) => [link.templateDocumentId, link.documentId]));
  return { ...source, body: withOwnReferences(source.body, ids) };
}

function toLockedFault({ templateId, templateTitle }: Source, paths: readonly string[]): Fault {
  const shown = paths.slice(0, NAMED_MAX);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : "";
  const named = shown.map((path) => path || "/").join(", ");
  const [verb, pronoun] = paths.length === 1 ? ["is", "it"] : ["are", "them"];
  return new Fault(
    "conflict",
    `${named}${more} ${verb} set by the template “${templateTitle}”. Change ${pronoun} there, open ${pronoun} for its sites, or have this site leave the template.`,
    {
      faults: shown.map((path) => ({ path, message: `is set by the template “${templateTitle}”` })),
      members: { templateId },
    },
  );
}

/**
 * Rejects a second document of a resource of which a site publishes only the newest and has one from its template.
 * @throws Fault conflict
 */
export async function assertPublishesOwn(
  ctx: Ctx,
  { resource, projectId }: { resource: Resource; projectId: string | null },
): Promise<void> {
  if (projectId === null || !singleResources.has(resource.name)) return;
  const sources = await listSources(ctx.tx, projectId);
  const source = sources.find((one) => one.resource === resource.name);
  if (!source) return;
  const { templateId, templateTitle } = source;
  throw new Fault(
    "conflict",
    `The ${resource.noun} of this project comes from the template “${templateTitle}”, and only one is published. Change it there, or have this site leave the template.`,
    { members: { templateId } },
  );
}

/** @throws Fault conflict for a document of a template, and for a template that sites follow */
export async function checkDeletion(ctx: Ctx, row: DocumentRow): Promise<void> {
  if (isTemplate(row)) await assertHasNoSites(ctx, row.id);
  if (row.resource === "projects") return deleteLinks(ctx.tx, row.id);
  const source = await findSource(ctx.tx, row.id);
  if (!source) return;
  throw new Fault(
    "conflict",
    `This document comes from the template “${source.templateTitle}”. Delete it there, or have this site leave the template.`,
    { members: { templateId: source.templateId } },
  );
}

interface Update {
  siteId: string;
  templateId: string;
  now: Date;
  /** The documents of the template, if the caller has read them. */
  template?: readonly StoredRow[] | undefined;
}

/** The next state of a site by its template. Reads only. */
export async function planUpdate(
  db: Db | Tx,
  { siteId, templateId, now, template: read }: Update,
): Promise<SitePlan> {
  const template = read ?? (await listStoredRows(db, templateId));
  // Published files have configurations in the order of their ids, so the site has that of the template.
  const ids = template.map(() => newDocumentId(now)).toSorted();
  return planSite({
    siteId,
    template,
    site: await listStoredRows(db, siteId),
    links: await listLinks(db, siteId),
    newId: () => ids.shift() ?? newDocumentId(now),
  });
}

/**
 * Brings a site's documents up to its template; each change is a version of its document. Locks the site.
 * @throws Fault impossible when the site's own values are not valid with those of the template
 */
export async function updateInherited(
  ctx: Ctx,
  validate: Validate,
  site: DocumentRow,
): Promise<SitePlan> {
  const templateId = templateIdOf(site);
  if (templateId === undefined) throw new Error(`project ${site.id} follows no template`);
  const plan = await planUpdate(ctx.tx, { siteId: site.id, templateId, now: ctx.now });
  if (plan.isCurrent) return plan;
  for (const document of plan.documents) await writePlanned(ctx, validate, site, document);
  const removed = plan.removed.map(({ id }) => id);
  await deleteInherited(ctx.tx, removed, ctx.now);
  for (const row of plan.removed) await record(ctx, site.id, row, "configuration.deleted");
  await replaceLinks(
    ctx.tx,
    { projectId: site.id, templateId },
    plan.documents.map(({ id, source, overrides }) => ({
      documentId: id,
      templateDocumentId: source.id,
      templateVersion: source.version,
      overrides,
    })),
  );
  return plan;
}

async function writePlanned(
  ctx: Ctx,
  validate: Validate,
  site: DocumentRow,
  { kind, id, resource, ...planned }: PlannedDocument,
): Promise<void> {
  if (kind === "unchanged") return;
  const body = validateInherited(validate, { resource, ...planned });
  const by = toActorName(ctx.actor);
  const row =
    kind === "updated"
      ? await updateDocument(ctx.tx, { id, body, operation: "inherit", now: ctx.now, by })
      : await insertDocument(ctx.tx, {
          id,
          resource,
          project_id: site.id,
          organization_id: site.organization_id,
          body,
          version: 1,
          created_at: ctx.now,
          created_by: by,
          updated_at: ctx.now,
          updated_by: by,
        });
  const event = resource === "projects" ? "project" : "configuration";
  await record(ctx, site.id, row, `${event}.${kind === "created" ? "created" : "updated"}`);
}

function validateInherited(
  validate: Validate,
  { resource, body, source, overrides }: Omit<PlannedDocument, "kind" | "id">,
): JsonObject {
  try {
    return validate(resource, body);
  } catch (error) {
    if (!(error instanceof Fault) || overrides.length === 0) throw error;
    const { name = resource } = source.body;
    throw new Fault(
      "impossible",
      `The site's own values of ${overrides.join(", ")} are not valid in “${String(name)}” of the template: ${error.message}`,
      { faults: error.faults },
    );
  }
}

async function record(
  ctx: Ctx,
  projectId: string,
  { id, resource, version }: { id: string; resource: string; version: number },
  name: EventName,
): Promise<void> {
  const data = { resource, version, isInherited: true };
  await recordEvent(ctx, { name, projectId, documentId: id, data });
}

/** Ends the inheritance of a project: its documents become its own. */
export async function endInheritance(ctx: Ctx, projectId: string, templateId: string) {
  await deleteLinks(ctx.tx, projectId);
  await recordEvent(ctx, { name: "template.left", projectId, data: { templateId } });
}

/**
 * Has a project leave its template before it moves to another organization.
 * @throws Fault conflict while sites follow it as their template
 */
export async function leaveTemplate(ctx: Ctx, project: DocumentRow): Promise<void> {
  if (isTemplate(project)) await assertHasNoSites(ctx, project.id);
  const templateId = templateIdOf(project);
  if (templateId !== undefined) await endInheritance(ctx, project.id, templateId);
}

/** The inheritance of a site's document. */
export interface Inheritance {
  id: string;
  resource: string;
  templateDocumentId: string;
  openFields: FieldPointer[];
  overrides: FieldPointer[];
}

/** The documents that a site has from its template. */
export async function listInheritance(db: Db | Tx, projectId: string): Promise<Inheritance[]> {
  const sources = await listSources(db, projectId);
  return sources.map(({ documentId: id, id: templateDocumentId, resource, body, overrides }) => ({
    id,
    resource,
    templateDocumentId,
    openFields: [...openFieldsOf(resource, body)],
    overrides,
  }));
}

/**
 * The body of an inherited document with the template's values of the fields, or of all of its overrides.
 * @throws Fault impossible for a field that is no override
 */
export async function toResetBody(
  ctx: Ctx,
  present: DocumentRow,
  fields: readonly FieldPointer[] | undefined,
): Promise<JsonObject> {
  const source = await findOwnSource(ctx.tx, present);
  const overrides = source?.overrides ?? [];
  const unknown = (fields ?? []).filter((field) => !overrides.includes(field));
  const message = "has no value of the site's own";
  assertNoFaults(
    unknown.map((path) => ({ path, message })),
    "impossible",
  );
  return (fields ?? overrides).reduce(
    (body, field) => withField(body, field, readField(source?.body ?? {}, field)),
    present.body,
  );
}

/** The template `id`. @throws Fault as `getProject`, and not-found for a project that is no template */
export async function getTemplate(
  db: Db | Tx,
  scope: Scope,
  id: string,
  right?: Right,
): Promise<ProjectRow> {
  const project = await getProject(db, scope, id, right);
  if (!isTemplate(project)) throw new Fault("not-found", `The project ${id} is not a template.`);
  return project;
}
