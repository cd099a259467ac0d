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
import { duplicateDocument } from "./duplicate.ts";

/** Registers the route to duplicate documents of a resource (wire section 9). */
export function registerDuplicate(http: Http, app: VaultApp, resource: Resource): void {
  if (!isDuplicable(resource.name)) return;
  http.post(
    `${resource.path}/:documentId/duplicate`,
    {
      schema: {
        ...describe(resource, {
          operation: "duplicate_",
          summary: `Duplicate a ${resource.noun}`,
          description:
            resource.name === "projects"
              ? "A copy with another title, in the same organization. Configurations are not copied."
              : "A copy in the same project, whose name gets a number. The copy is not the default.",
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
