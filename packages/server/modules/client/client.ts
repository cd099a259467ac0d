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
  type Written,
  createDocument,
  patchDocument,
  replaceDocument,
} from "../vault/documents/vault.ts";
import type { VaultApp } from "../vault/documents/vault.ts";
import { toClientEtag, toClientProject, withoutForms } from "./projects.ts";
import type { ClientProjectIn, ClientProjectOut, ClientProjectPatchIn } from "./schema.ts";
import { type Form, listForms, listReadable } from "./store.ts";

/** So many documents and processings fit one answer; one project has at most 1,000. */
const FORMS_MAX = 10_000;

/**
 * A page of the projects whose consents the scope may read (wire section 5).
 * @throws Fault impossible when they have more than 10,000 documents and processings together
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
  const shown = items
    .filter((row) => isDocumentOf(row, "projects"))
    .map((row) =>
      toClientProject(row, {
        publicUrl: app.publicUrl,
        tier: tiers.get(row.id),
        forms: forms.get(row.id) ?? [],
        isReadable: readable.has(row.id),
      }),
    );
  return { items: shown, total };
}

async function listPageForms(db: Db, projectIds: readonly string[]): Promise<Form[]> {
  const forms = await listForms(db, projectIds, FORMS_MAX);
  if (forms.length <= FORMS_MAX) return forms;
  const detail = `These projects have more than ${FORMS_MAX} documents and processings.`;
  const faults = [{ path: "?perPage", message: "is too much here: ask for fewer projects" }];
  throw new Fault("impossible", detail, { faults });
}

/** A project as the Client API shows it. Throws `Fault` (not-found, forbidden). */
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
  // Every row that the verbs here have read or written is a project.
  return toClientProject(row as ProjectRow, {
    publicUrl: app.publicUrl,
    tier,
    forms: await listForms(db, [row.id], FORMS_MAX),
    isReadable,
  });
}

/** Creates a project from the Client API's fields. Throws as the vault's `createDocument`. */
export async function createClientProject(
  ctx: Ctx,
  app: VaultApp,
  given: ClientProjectIn,
): Promise<ClientProjectOut> {
  const fields = toWhole(toVaultFields(ctx, given, []));
  const { row } = await createDocument(ctx, app, {
    resource: resourceOf("projects"),
    given: fields,
  });
  return showProject(app, ctx.tx, row);
}

interface Change {
  id: string;
  ifMatch: string | undefined;
  given: ClientProjectPatchIn;
}

/**
 * Changes the fields that are given. Throws as the vault's `patchDocument`, and `Fault` (stale)
 * when `ifMatch` is not the entity tag of the project as it is shown here.
 */
export async function patchClientProject(
  ctx: Ctx,
  app: VaultApp,
  change: Change,
): Promise<ClientProjectOut> {
  const { forms } = await openChange(ctx, app, change);
  const patch = toVaultFields(ctx, change.given, forms);
  const target = { resource: resourceOf("projects"), id: change.id };
  const { row } = await patchDocument(ctx, app, { ...target, patch });
  return showProject(app, ctx.tx, row);
}

/**
 * Replaces a project. Its detail stays where no `configuration` is given: a client that knows only
 * this shape must not lose a project's colours, or its organization. Throws as `patchClientProject`.
 */
export async function replaceClientProject(
  ctx: Ctx,
  app: VaultApp,
  change: Change & { given: ClientProjectIn },
): Promise<ClientProjectOut> {
  const { row: present, forms } = await openChange(ctx, app, change);
  const whole = { documents: [], processingActivities: [], ...change.given };
  const own = toVaultFields(ctx, whole, forms);
  const { dataProcessor: _, ...detail } = present.body;
  const { row } = await replaceDocument(ctx, app, {
    resource: resourceOf("projects"),
    id: change.id,
    given: toWhole(change.given.configuration ? own : { ...detail, ...own }),
  });
  return showProject(app, ctx.tx, row);
}

async function openChange(ctx: Ctx, app: VaultApp, { id, ifMatch }: Change) {
  const row = await getProject(ctx.tx, ctx.scope, id);
  if (ifMatch !== undefined)
    assertMatches(ifMatch, toClientEtag(await showProject(app, ctx.tx, row)));
  return { row, forms: await listForms(ctx.tx, [id], FORMS_MAX) };
}

/** The Client API's fields in the vault's words; entries without an identifier get one. */
function toVaultFields(ctx: Ctx, given: ClientProjectPatchIn, forms: readonly Form[]): JsonObject {
  const { configuration, name, website, dataProcessor, documents, processingActivities } = given;
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

/** Of a whole project a field that is null is left out; of a change it is removed (RFC 7396). */
function toWhole(fields: JsonObject): JsonObject {
  const { dataProcessor, ...rest } = fields;
  return dataProcessor === null || dataProcessor === undefined ? rest : fields;
}

/** Creates a consent form of a project. Throws `Fault` not-found, forbidden, and as `createDocument`. */
export async function createForm(
  ctx: Ctx,
  app: VaultApp,
  form: { projectId: string; collection: string; fields: JsonObject },
): Promise<Written> {
  const { projectId, collection, fields } = form;
  await getProject(ctx.tx, ctx.scope, projectId);
  return createDocument(ctx, app, {
    resource: resourceOf(collection),
    given: { ...fields, projectId },
  });
}
