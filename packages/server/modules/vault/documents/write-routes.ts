import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { isObject } from "@avow/contract/json";
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
import { toTitled } from "../schemas/aliases.ts";
import { duplicateDocument } from "./duplicate.ts";
import { type Resource, isDuplicable } from "../schemas/resources.ts";
import { type VaultApp, createDocument, patchDocument, replaceDocument } from "./vault.ts";

const Deletion = Type.Object({
  confirm: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        "The project's id, required to delete a project that has a published file or consents on record.",
    }),
  ),
});
/** Registers the routes to create, replace, patch and delete documents of a resource. */
export function registerWrites(http: Http, app: VaultApp, resource: Resource): void {
  registerCreate(http, app, resource);
  registerReplace(http, app, resource);
  registerPatch(http, app, resource);
  registerDelete(http, app, resource);
  if (isDuplicable(resource.name)) registerDuplicate(http, app, resource);
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

function registerDuplicate(http: Http, app: VaultApp, resource: Resource): void {
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

const deletionTexts: Readonly<Record<string, string>> = {
  projects:
    "With its configurations. A project with a published file or consents on record needs `confirm`: 409 without. Proofs are kept.",
  organizations:
    "With its vendors and media. An organization that has projects or a subscription is 409, with its `projects`.",
};

function registerDelete(http: Http, app: VaultApp, resource: Resource): void {
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
      await prepareDeletion(app, { ...target, actor: req.actor, requestId: req.id });
      await answerWrite({ ...app, req, reply, status: 204 }, (ctx) =>
        deleteDocument(ctx, app, target),
      );
      return reply.send(null);
    },
  );
}

/** A project's `name` becomes its title before validation. */
function aliases(resource: Resource) {
  if (resource.name !== "projects") return {};
  return {
    preValidation: async (req: FastifyRequest): Promise<void> => {
      if (isObject(req.body)) req.body = toTitled(req.body);
    },
  };
}
