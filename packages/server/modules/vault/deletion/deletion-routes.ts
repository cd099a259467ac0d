import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { DocumentParams, describe } from "../documents/document-routes.ts";
import type { VaultApp } from "../documents/vault.ts";
import type { Resource } from "../schemas/resources.ts";
import { deleteDocument, prepareDeletion } from "./deletion.ts";

const Deletion = Type.Object({
  confirm: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "The project's id, required to delete a project that has a published file or consents on record.",
    }),
  ),
});

const deletionTexts: Readonly<Record<string, string>> = {
  projects:
    "With its configurations. A project with a published file or consents on record needs `confirm`: 409 without. Proofs are kept.",
  organizations:
    "With its vendors and media. An organization that has projects or a subscription is 409, with its `projects`.",
};

/** Registers the route to delete documents of a resource. */
export function registerDelete(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId`;
  http.delete(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "delete_",
          summary: `Delete a ${resource.noun}`,
          description: deletionTexts[resource.name] ?? "The versions are kept.",
        }),
        params: DocumentParams,
        querystring: Deletion,
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const target = {
        resource,
        id: req.params.documentId,
        ifMatch: req.headers["if-match"],
        confirm: req.query.confirm,
      };
      const { actor, id: requestId } = req;
      const prepared = await prepareDeletion(app, { ...target, actor, requestId });
      await answerWrite({ ...app, req, reply, status: 204 }, (ctx) =>
        deleteDocument(ctx, app, { ...target, ...prepared }),
      );
      if (resource.name === "projects") await app.followProject(target.id);
      return reply.send(null);
    },
  );
}
