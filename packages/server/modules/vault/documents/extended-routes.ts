import { hrefOf, paths } from "@avow/contract/urls";
import { Type } from "typebox";
import { toScope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { resourceOf } from "../schemas/resources.ts";
import { getDocument, listConfigurations, sumDocumentBytes } from "./access.ts";
import { asStored, documentOut } from "./document-routes.ts";
import { documentHref, toDocument } from "./documents.ts";
import { PAGE_BYTES_MAX } from "./store.ts";
import { findTierOf } from "./tiers.ts";
import type { VaultApp } from "./vault.ts";

const project = documentOut(resourceOf("projects"));
const ConfigurationOut = Type.Object(
  { ...documentOut(resourceOf("cookies")).properties, collection: Type.String() },
  { additionalProperties: true },
);
const ExtendedProjectOut = Type.Object(
  {
    ...project.properties,
    configurations: Type.Array(ConfigurationOut, {
      description: "As their own routes return them, with their `collection`; oldest first.",
    }),
  },
  { additionalProperties: true, title: "ExtendedProject" },
);

/** Registers the read of a project with all its configurations, which older clients use (wire section 9). */
export function registerExtendedRoute(http: Http, app: VaultApp): void {
  http.get(
    paths.extendedProject,
    {
      schema: {
        tags: ["vault"],
        operationId: "getExtendedProject",
        summary: "Get a project with its configurations",
        description:
          "The project with `configurations`: cookie configurations, processings, contracts, long documents, and settings.",
        querystring: Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) }),
        response: { 200: ExtendedProjectOut },
      },
      ...asStored,
    },
    async (req) => {
      const id = req.query.projectId;
      const row = await getDocument(app.db, toScope(req.actor), { resource: "projects", id });
      const { publicUrl } = app;
      const tier = await findTierOf(app.db, app, row, app.now());
      const document = toDocument(row, { publicUrl, tier });
      const self = hrefOf(publicUrl, paths.extendedProject, {}, { projectId: id });
      if ((await sumDocumentBytes(app.db, id)) > PAGE_BYTES_MAX)
        throw new Fault(
          "impossible",
          `The project's documents have more than ${PAGE_BYTES_MAX / 1024 / 1024} MiB. List them by resource, such as ${document.links["cookies"]}.`,
        );
      const configurations = (await listConfigurations(app.db, id)).map((configuration) => ({
        ...toDocument(configuration, { publicUrl, tier: undefined }),
        collection: configuration.resource,
      }));
      const links = { ...document.links, self, project: documentHref(publicUrl, row) };
      return { ...document, configurations, links };
    },
  );
}
