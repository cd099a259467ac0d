import { Type } from "typebox";
import { assertNoFaults } from "../../platform/errors.ts";
import { toScope } from "../../kernel/actor.ts";
import { roles } from "../../kernel/rights.ts";
import { toFilters, toSort } from "../../kernel/filters/filters.ts";
import { isUnchanged } from "../../http/files/etags.ts";
import type { Http } from "../../http/http.ts";
import type { Streams } from "../../http/streams.ts";
import { PageQueryIn, answerPage } from "../../http/lists/pages.ts";
import { getDocument, rolesThatAllow } from "./documents/access.ts";
import { registerDelete } from "./deletion/deletion-routes.ts";
import { registerDuplicate } from "./duplicates/duplicate-routes.ts";
import { registerGroupRoute } from "./groups/group-routes.ts";
import { registerExtendedRoute } from "./documents/extended-routes.ts";
import { DocumentParams, asStored, describe, documentOut } from "./documents/document-routes.ts";
import { toDocument, toEtag } from "./documents/documents.ts";
import { listedFields } from "./schemas/client-fields.ts";
import { type Resource, resources } from "./schemas/resources.ts";
import { listDocuments } from "./documents/store.ts";
import { findTierOf, listTiersOf } from "./documents/tiers.ts";
import { registerActivityRoute } from "./trail/activity-routes.ts";
import { registerTrailRoute } from "./trail/trail-routes.ts";
import { registerAdditionRoute } from "./members/addition-routes.ts";
import { registerUserRoutes } from "./members/user-routes.ts";
import type { VaultApp } from "./documents/vault.ts";
import { registerTransferRoutes } from "./transfers/transfer-routes.ts";
import type { TransfersApp } from "./transfers/offers.ts";
import { registerWrites } from "./documents/write-routes.ts";
import { registerVersionRoutes } from "./versions/version-routes.ts";

/** Any further parameter filters by a field. */
const FilteredQueryIn = Type.Object(
  {
    ...PageQueryIn.properties,
    role: Type.Optional(
      Type.Enum([...roles], { description: "Only documents on which you have this role." }),
    ),
  },
  { additionalProperties: true },
);

/** Registers every resource of the vault, each with the same operations (specification, Vault; wire section 2). */
export function registerVaultRoutes(http: Http, app: TransfersApp & { streams: Streams }): void {
  registerTrailRoute(http, app);
  registerActivityRoute(http, app);
  registerTransferRoutes(http, app);
  registerAdditionRoute(http, app);
  registerExtendedRoute(http, app);
  registerGroupRoute(http, app);
  for (const resource of resources) {
    registerReads(http, app, resource);
    registerWrites(http, app, resource);
    registerDelete(http, app, resource);
    registerDuplicate(http, app, resource);
    registerUserRoutes(http, app, resource);
    registerVersionRoutes(http, app, resource);
  }
}

function registerReads(http: Http, app: VaultApp, resource: Resource): void {
  const fields = {
    declared: new Set(Object.keys(resource.schema.properties)),
    service: listedFields,
  };
  http.get(
    resource.path,
    {
      schema: {
        ...describe(resource, {
          operation: "list_s",
          summary: `List the ${resource.noun}s that you may see`,
          description:
            "Pages with filters and sorting. Documents that you may not see are left out.",
        }),
        description:
          "Filters: `field=value` (also `data.field=`), dotted paths, repeated for any-of, and `[contains]`, `[in]`, `[exists]`, `[gt]`, `[gte]`, `[lt]`, `[lte]`.",
        querystring: FilteredQueryIn,
        response: { 200: Type.Array(documentOut(resource)) },
      },
      ...asStored,
    },
    async (req, reply) => {
      const { jsonpath, columns, faults } = toFilters(req.query, fields);
      const sort = toSort(req.query.sort, fields);
      assertNoFaults([...faults, ...sort.faults]);
      const now = app.now();
      const { page: number, perPage, role } = req.query;
      const scope = toScope(req.actor);
      const page = await listDocuments(app.db, scope, {
        resource: resource.name,
        held: rolesThatAllow(scope).filter((one) => role === undefined || one === role),
        jsonpath,
        columns,
        sort: sort.sort,
        page: number,
        perPage,
      });
      const tiers = await listTiersOf(app.db, app, { rows: page.items, now });
      const items = page.items.map((row) =>
        toDocument(row, { publicUrl: app.publicUrl, tier: tiers.get(row.id) }),
      );
      return answerPage({ req, reply, publicUrl: app.publicUrl }, req.query, { ...page, items });
    },
  );
  http.get(
    `${resource.path}/:documentId`,
    {
      schema: {
        ...describe(resource, {
          operation: "get_",
          summary: `Get a ${resource.noun}`,
          description: "The current version, with links and an ETag.",
        }),
        params: DocumentParams,
        response: { 200: documentOut(resource), 304: Type.Null() },
      },
      ...asStored,
    },
    async (req, reply) => {
      const key = { resource: resource.name, id: req.params.documentId };
      const row = await getDocument(app.db, toScope(req.actor), key);
      const tier = await findTierOf(app.db, app, row, app.now());
      if (isUnchanged(req, reply, toEtag(row, tier))) return reply.code(304).send(null);
      return toDocument(row, { publicUrl: app.publicUrl, tier });
    },
  );
}
