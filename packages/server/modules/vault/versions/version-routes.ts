import { Type } from "typebox";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import type { Resource } from "../schemas/resources.ts";
import {
  DocumentParams,
  answerDocument,
  asStored,
  describe,
  documentOut,
} from "../documents/document-routes.ts";
import type { VaultApp } from "../documents/vault.ts";
import { diffVersions, getVersion, listVersions, restoreVersion } from "./versions.ts";
import type { VersionRow } from "./versions-store.ts";

const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const VersionParams = Type.Object({
  documentId: Type.String({ maxLength: 64 }),
  version: VersionNumber,
});
const DiffParams = Type.Object({
  documentId: Type.String({ maxLength: 64 }),
  from: VersionNumber,
  to: VersionNumber,
});
const versionFields = {
  version: Type.Integer(),
  operation: Type.String({ description: "create, replace, patch, restore or inherit" }),
  createdAt: Type.String({ format: "date-time" }),
  createdBy: Type.String(),
  links: Type.Record(Type.String(), Type.String()),
};
const VersionOut = Type.Object(versionFields);
const FullVersionOut = Type.Object({
  ...versionFields,
  document: Type.Object(
    {},
    {
      additionalProperties: true,
      description: "The document's own fields after this write.",
    },
  ),
});
const DiffOut = Type.Array(
  Type.Object({ op: Type.String(), path: Type.String() }, { additionalProperties: true }),
);

/** The history of a document (wire section 2). */
export function registerVersionRoutes(http: Http, app: VaultApp, resource: Resource): void {
  registerVersions(http, app, resource);
  registerDiff(http, app, resource);
}

function toVersion(
  { publicUrl }: VaultApp,
  { resource, row }: { resource: Resource; row: Omit<VersionRow, "body"> },
) {
  const document = `${publicUrl}${resource.path}/${row.document_id}`;
  const self = `${document}/versions/${row.version}`;
  const diff =
    row.version > 1 ? { diff: `${document}/versions/${row.version - 1}/diff/${row.version}` } : {};
  return {
    version: row.version,
    operation: row.operation,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    links: { self, document, ...diff, restore: `${self}/restore` },
  };
}

function registerVersions(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId/versions`;
  registerVersionList(http, app, resource, {
    path,
    operation: "list_Versions",
    description: "Every change is a version with its author and time.",
  });
  if (resource.name === "content")
    registerVersionList(http, app, resource, {
      path: `${resource.path}/:documentId/revisions`,
      operation: "list_Revisions",
      description: "The list of versions under another name, for older clients.",
    });
  http.get(
    `${path}/:version`,
    {
      schema: {
        ...describe(resource, {
          operation: "get_Version",
          summary: `Get a version of a ${resource.noun}`,
          description: "The document as it was stored then.",
        }),
        params: VersionParams,
        response: { 200: FullVersionOut },
      },
    },
    async (req) => {
      const { documentId, version } = req.params;
      const row = await getVersion(app.db, toScope(req.actor), {
        resource,
        id: documentId,
        version,
      });
      return { ...toVersion(app, { resource, row }), document: row.body };
    },
  );
}

function registerVersionList(
  http: Http,
  app: VaultApp,
  resource: Resource,
  { path, ...texts }: { path: string; operation: string; description: string },
): void {
  const summary = `List the versions of a ${resource.noun}, newest first`;
  http.get(
    path,
    {
      schema: {
        ...describe(resource, { ...texts, summary }),
        params: DocumentParams,
        querystring: PageQueryIn,
        response: { 200: Type.Array(VersionOut) },
      },
    },
    async (req, reply) => {
      const target = { ...req.query, resource, id: req.params.documentId };
      const page = await listVersions(app.db, toScope(req.actor), target);
      return answerPage({ req, reply, publicUrl: app.publicUrl }, req.query, {
        ...page,
        items: page.items.map((row) => toVersion(app, { resource, row })),
      });
    },
  );
}

function registerDiff(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId/versions`;
  http.get(
    `${path}/:from/diff/:to`,
    {
      schema: {
        ...describe(resource, {
          operation: "diff_Versions",
          summary: `Compare two versions of a ${resource.noun} (RFC 6902)`,
          description: "JSON Patch operations that lead from one version to the other.",
        }),
        params: DiffParams,
        response: { 200: DiffOut },
      },
    },
    async (req) => {
      const { documentId, from, to } = req.params;
      return diffVersions(app.db, toScope(req.actor), { resource, id: documentId, from, to });
    },
  );
  http.post(
    `${path}/:version/restore`,
    {
      schema: {
        ...describe(resource, {
          operation: "restore_Version",
          summary: `Restore a version of a ${resource.noun} as a new one`,
          description: "Later versions stay in the history.",
        }),
        params: VersionParams,
        response: { 200: documentOut(resource) },
      },
      ...asStored,
    },
    async (req, reply) => {
      const { documentId, version } = req.params;
      const ifMatch = req.headers["if-match"];
      return answerDocument(app, { req, reply }, (ctx) =>
        restoreVersion(ctx, app, { resource, id: documentId, version, ifMatch }),
      );
    },
  );
}
