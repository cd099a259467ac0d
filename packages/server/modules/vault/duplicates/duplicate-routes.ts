import { Project } from "@avow/contract/configuration";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import {
  DocumentParams,
  answerDocument,
  asStored,
  describe,
  documentOut,
} from "../documents/document-routes.ts";
import type { VaultApp } from "../documents/vault.ts";
import { type Resource, isDuplicable } from "../schemas/resources.ts";
import { cloneProject } from "./clone.ts";
import { duplicateDocument } from "./duplicate.ts";

/** Registers the route to duplicate documents of a resource (wire section 9). */
export function registerDuplicate(http: Http, app: VaultApp, resource: Resource): void {
  if (!isDuplicable(resource.name)) return;
  if (resource.name === "projects") return registerProjectDuplicate(http, app, resource);
  http.post(
    `${resource.path}/:documentId/duplicate`,
    {
      schema: {
        ...describe(resource, {
          operation: "duplicate_",
          summary: `Duplicate a ${resource.noun}`,
          description:
            "A copy in the same project, whose name gets a number. The copy is not the default.",
        }),
        params: DocumentParams,
        response: { 201: documentOut(resource) },
      },
      ...asStored,
    },
    async (req, reply) =>
      answerDocument(app, { req, reply, status: 201 }, (ctx) =>
        duplicateDocument(ctx, app, { resource, id: req.params.documentId }),
      ),
  );
}

const ProjectCopyIn = Type.Union([
  Type.Object(
    {
      withConfigurations: Type.Optional(
        Type.Boolean({
          description:
            "Whether the copy has copies of the configurations, and of the vendors and media of the project. Default: false.",
        }),
      ),
      ...Type.Partial(Type.Pick(Project, ["title", "websiteURL"])).properties,
    },
    { title: "ProjectCopyIn" },
  ),
  // A request without a body copies the project alone.
  Type.Null(),
]);

function registerProjectDuplicate(http: Http, app: VaultApp, resource: Resource): void {
  http.post(
    `${resource.path}/:documentId/duplicate`,
    {
      schema: {
        ...describe(resource, {
          operation: "duplicate_",
          summary: "Duplicate a project",
          description:
            "A copy in the same organization, with the given title and address, or else with another title and the same address. Consents, publications, members, API keys and webhooks are not copied.",
        }),
        params: DocumentParams,
        body: ProjectCopyIn,
        response: { 201: documentOut(resource) },
      },
      ...asStored,
    },
    async (req, reply) => {
      const { withConfigurations = false, title, websiteURL } = req.body ?? {};
      const id = req.params.documentId;
      const changes = {
        ...(title !== undefined && { title }),
        ...(websiteURL !== undefined && { websiteURL }),
      };
      return answerDocument(app, { req, reply, status: 201 }, (ctx) =>
        withConfigurations
          ? cloneProject(ctx, app, { id, changes })
          : duplicateDocument(ctx, app, { resource, id, changes }),
      );
    },
  );
}
