import { isDocumentOf } from "@avow/contract/configuration";
import type { JsonObject } from "@avow/contract/json";
import type { Ctx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Scope } from "../../kernel/actor.ts";
import { Fault } from "../../platform/errors.ts";
import { assertMatches } from "../../kernel/etag.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import type { Page, PageQuery } from "../../kernel/page.ts";
import { resourceOf } from "../vault/schemas/resources.ts";
import {
  type DocumentRow,
  type ProjectRow,
  getProject,
  listDocuments,
  rolesThatAllow,
} from "../vault/documents/access.ts";
import { findTierOf, listTiersOf } from "../vault/documents/tiers.ts";
import {
  type WriteResult,
  createDocument,
  patchDocument,
  replaceDocument,
} from "../vault/documents/vault.ts";
import type { VaultApp } from "../vault/documents/vault.ts";
import { toClientEtag, toClientProject, withoutForms } from "./projects.ts";
import type { ClientProjectIn, ClientProjectOut, ClientProjectPatchIn } from "./schema.ts";
import { type Form, listForms, listReadable } from "./store.ts";

/** Maximum number of documents and processings in a response; one project has at most 1,000. */
const FORMS_MAX = 10_000;

/**
 * A page of the projects whose consents the scope may read (wire section 5).
 * @throws Fault impossible when they have more than 10,000 documents and processings in total
 */
export async function listClientProjects(
  app: VaultApp,
  scope: Scope,
  { page, perPage }: PageQuery,
): Promise<Page<ClientProjectOut>> {
  const held = rolesThatAllow(scope);
  const all = { resource: "projects", held, jsonpath: [], columns: [], sort: [], page, perPage };
  const { items, total } = await listDocuments(app.db, scope, all);
  const ids = items.map((row) => row.id);
  const tiers = await listTiersOf(app.db, app, { rows: items, now: app.now() });
  const readable = await listReadable(app.db, scope, items);
  const forms = Map.groupBy(await listPageForms(app.db, ids), (form) => form.project_id);
  const projects = items
    .filter((row) => isDocumentOf(row, "projects"))
    .map((row) =>
      toClientProject(row, {
        publicUrl: app.publicUrl,
        tier: tiers.get(row.id),
        forms: forms.get(row.id) ?? [],
        isReadable: readable.has(row.id),
      }),
    );
  return { items: projects, total };
}

async function listPageForms(db: Db, projectIds: readonly string[]): Promise<Form[]> {
  const forms = await listForms(db, projectIds, FORMS_MAX);
  if (forms.length <= FORMS_MAX) return forms;
  const detail = `These projects have more than ${FORMS_MAX} documents and processings.`;
  const faults = [{ path: "?perPage", message: "is too large for these projects: request fewer" }];
  throw new Fault("impossible", detail, { faults });
}

/** A project in the shape of the Client API. Throws `Fault` (not-found, forbidden). */
export async function getClientProject(
  app: VaultApp,
  scope: Scope,
  id: string,
): Promise<ClientProjectOut> {
  const row = await getProject(app.db, scope, id);
  const readable = await listReadable(app.db, scope, [row]);
  return showProject(app, app.db, row, readable.has(id));
}

async function showProject(
  app: VaultApp,
  db: Db | Tx,
  row: DocumentRow,
  isReadable = true,
): Promise<ClientProjectOut> {
  const tier = await findTierOf(db, app, row, app.now());
  // All rows passed here are projects.
  return toClientProject(row as ProjectRow, {
    publicUrl: app.publicUrl,
    tier,
    forms: await listForms(db, [row.id], FORMS_MAX),
    isReadable,
  });
}

/** A project after a write, with warnings about fields that come from `configuration`. */
async function showWritten(
  app: VaultApp,
  db: Tx,
  { row, warnings }: WriteResult,
): Promise<ClientProjectOut> {
  const project = await showProject(app, db, row);
  if (warnings.length === 0) return project;
  return {
    ...project,
    warnings: warnings.map(({ path, message }) => ({ path: `/configuration${path}`, message })),
  };
}

/** Creates a project from the Client API's fields. Throws like the vault's `createDocument`. */
export async function createClientProject(
  ctx: Ctx,
  app: VaultApp,
  input: ClientProjectIn,
): Promise<ClientProjectOut> {
  const fields = withoutNullProcessor(toVaultFields(ctx, input, []));
  const written = await createDocument(ctx, app, {
    resource: resourceOf("projects"),
    input: fields,
  });
  return showWritten(app, ctx.tx, written);
}

interface Change {
  id: string;
  ifMatch: string | undefined;
  input: ClientProjectPatchIn;
}

/**
 * Changes the given fields. Throws like the vault's `patchDocument`, and `Fault` (stale) when `ifMatch` is not
 * the entity tag of the project in the Client API.
 */
export async function patchClientProject(
  ctx: Ctx,
  app: VaultApp,
  change: Change,
): Promise<ClientProjectOut> {
  const { forms } = await openChange(ctx, app, change);
  const patch = toVaultFields(ctx, change.input, forms);
  const target = { resource: resourceOf("projects"), id: change.id };
  return showWritten(app, ctx.tx, await patchDocument(ctx, app, { ...target, patch }));
}

/**
 * Replaces a project. Without `configuration`, the project's other fields stay: a client that knows only this
 * shape must not remove the project's colours or its organization. Throws like `patchClientProject`.
 */
export async function replaceClientProject(
  ctx: Ctx,
  app: VaultApp,
  change: Change & { input: ClientProjectIn },
): Promise<ClientProjectOut> {
  const { row: present, forms } = await openChange(ctx, app, change);
  const complete = { documents: [], processingActivities: [], ...change.input };
  const own = toVaultFields(ctx, complete, forms);
  const { dataProcessor: _, ...detail } = present.body;
  const written = await replaceDocument(ctx, app, {
    resource: resourceOf("projects"),
    id: change.id,
    input: withoutNullProcessor(change.input.configuration ? own : { ...detail, ...own }),
  });
  return showWritten(app, ctx.tx, written);
}

async function openChange(ctx: Ctx, app: VaultApp, { id, ifMatch }: Change) {
  const row = await getProject(ctx.tx, ctx.scope, id);
  if (ifMatch !== undefined)
    assertMatches(ifMatch, toClientEtag(await showProject(app, ctx.tx, row)));
  return { row, forms: await listForms(ctx.tx, [id], FORMS_MAX) };
}

/** Converts the Client API's fields to the vault's; entries without an identifier get one. */
function toVaultFields(ctx: Ctx, input: ClientProjectPatchIn, forms: readonly Form[]): JsonObject {
  const { configuration, name, website, dataProcessor, documents, processingActivities } = input;
  const identified = (entries: readonly { identifier?: string }[] | undefined) =>
    entries &&
    withoutForms(entries, forms).map((entry) => ({
      ...entry,
      identifier: entry.identifier ?? newDocumentId(ctx.now),
    }));
  const own = {
    title: name,
    websiteURL: website,
    dataProcessor,
    documents: identified(documents),
    processingActivities: identified(processingActivities),
  };
  const defined = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...configuration, ...Object.fromEntries(defined) };
}

/** Leaves out a null `dataProcessor` of a complete project; in a patch, null removes it (RFC 7396). */
function withoutNullProcessor(fields: JsonObject): JsonObject {
  const { dataProcessor, ...rest } = fields;
  return dataProcessor === null || dataProcessor === undefined ? rest : fields;
}

/** Creates a consent form of a project. Throws `Fault` not-found, forbidden, and like `createDocument`. */
export async function createForm(
  ctx: Ctx,
  app: VaultApp,
  form: { projectId: string; collection: string; fields: JsonObject },
): Promise<WriteResult> {
  const { projectId, collection, fields } = form;
  await getProject(ctx.tx, ctx.scope, projectId);
  const { row, warnings } = await createDocument(ctx, app, {
    resource: resourceOf(collection),
    input: { ...fields, projectId },
  });
  const sent = fields["projectId"];
  if (sent === undefined || sent === projectId) return { row, warnings };
  const message = `is not the project of the address, ${projectId}, which the form belongs to.`;
  return { row, warnings: [...warnings, { path: "/projectId", message }] };
}
