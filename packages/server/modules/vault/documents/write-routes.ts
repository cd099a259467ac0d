import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { isObject } from "@avow/contract/json";
import type { Http } from "../../../http/http.ts";
import {
  DocumentParams,
  answerDocument,
  asStored,
  bodyOf,
  describe,
  documentIn,
  documentOut,
} from "./document-routes.ts";
import { toTitled } from "../schemas/aliases.ts";
import type { Resource } from "../schemas/resources.ts";
import { type VaultApp, createDocument, patchDocument, replaceDocument } from "./vault.ts";

/** Registers the routes to create, replace and patch documents of a resource. */
export function registerWrites(http: Http, app: VaultApp, resource: Resource): void {
  registerCreate(http, app, resource);
  registerReplace(http, app, resource);
  registerPatch(http, app, resource);
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

/** A project's `name` becomes its title before validation. */
function aliases(resource: Resource) {
  if (resource.name !== "projects") return {};
  return {
    preValidation: async (req: FastifyRequest): Promise<void> => {
      if (isObject(req.body)) req.body = toTitled(req.body);
    },
  };
}
