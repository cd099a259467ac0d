import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import {
  DocumentParams,
  answerDocument,
  asStored,
  bodyOf,
  describe,
  documentIn,
  documentOut,
} from "./document-routes.ts";
import { deleteDocument, prepareDeletion } from "./deletion.ts";
import type { Resource } from "../schemas/resources.ts";
import { type VaultApp, createDocument, patchDocument, replaceDocument } from "./vault.ts";

const Deletion = Type.Object({
  confirm: Type.Optional(
    Type.String({ maxLength: 64, description: "The project's id, required to delete a project." }),
  ),
});
/** Registers the routes to create, replace, patch and delete documents of a resource. */
export function registerWrites(http: Http, app: VaultApp, resource: Resource): void {
  registerCreate(http, app, resource);
  registerReplace(http, app, resource);
  registerPatch(http, app, resource);
  registerDelete(http, app, resource);
}

function registerCreate(http: Http, app: VaultApp, resource: Resource): void {
  http.post(
    resource.path,
    {
      schema: {
        ...describe(resource, {
          operation: "create_",
          summary: `Create a ${resource.noun}`,
          description:
            "You become its owner unless a project or organization owns it. Unknown fields are kept.",
        }),
        body: documentIn(resource),
        response: { 201: documentOut(resource) },
      },
      ...aliases(resource),
      ...asStored,
    },
    async (req, reply) =>
      answerDocument(app, { req, reply, status: 201 }, (ctx) =>
        createDocument(ctx, app, { resource, input: bodyOf(req) }),
      ),
  );
}

function registerReplace(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId`;
  http.put(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "replace_",
          summary: `Replace a ${resource.noun}`,
          description:
            "Fields that are left out are removed. Send `If-Match` to avoid overwriting a newer version.",
        }),
        params: DocumentParams,
        body: documentIn(resource),
        response: { 200: documentOut(resource) },
      },
      ...aliases(resource),
      ...asStored,
    },
    async (req, reply) =>
      answerDocument(app, { req, reply }, (ctx) =>
        replaceDocument(ctx, app, {
          resource,
          id: req.params.documentId,
          ifMatch: req.headers["if-match"],
          input: bodyOf(req),
        }),
      ),
  );
}

function registerPatch(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId`;
  http.patch(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "patch_",
          summary: `Change fields of a ${resource.noun} (RFC 7396 merge patch)`,
          description: "`null` removes a field; fields that are left out do not change.",
        }),
        params: DocumentParams,
        body: Type.Object({}, { additionalProperties: true }),
        response: { 200: documentOut(resource) },
      },
      ...asStored,
    },
    async (req, reply) =>
      answerDocument(app, { req, reply }, (ctx) =>
        patchDocument(ctx, app, {
          resource,
          id: req.params.documentId,
          ifMatch: req.headers["if-match"],
          patch: bodyOf(req),
        }),
      ),
  );
}

function registerDelete(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId`;
  http.delete(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "delete_",
          summary: `Delete a ${resource.noun}`,
          description:
            "A project needs `confirm`, and its configurations are deleted with it. Collected consents are kept.",
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
      await prepareDeletion(app, { ...target, actor: req.actor, requestId: req.id });
      await answerWrite({ ...app, req, reply, status: 204 }, (ctx) =>
        deleteDocument(ctx, app, target),
      );
      return reply.send(null);
    },
  );
}

/** Older clients send a project's title as `name`, which is copied to `title` before validation. */
function aliases(resource: Resource) {
  if (resource.name !== "projects") return {};
  return {
    preValidation: async (req: FastifyRequest): Promise<void> => {
      const body: unknown = req.body;
      if (typeof body !== "object" || body === null || Array.isArray(body)) return;
      if (!("title" in body) && "name" in body) Object.assign(body, { title: body.name });
    },
  };
}
