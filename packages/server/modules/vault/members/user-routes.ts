import { Type } from "typebox";
import { toActorName, toScope } from "../../../kernel/actor.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import type { Resource } from "../schemas/resources.ts";
import { roles } from "../../../kernel/rights.ts";
import { DocumentParams, describe } from "../documents/document-routes.ts";
import { type DocumentUser, addUser, listUsers, lookUpUser, removeUser } from "./users.ts";
import type { VaultApp } from "../documents/vault.ts";

const orNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });
const Role = Type.Enum([...roles]);
const UserIn = Type.Object({
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  roles: Type.Optional(
    Type.Array(Role, {
      minItems: 1,
      maxItems: 4,
      uniqueItems: true,
      description: "Default: viewer.",
    }),
  ),
});
const UsersOut = Type.Array(
  Type.Object({
    _id: Type.String(),
    id: Type.String(),
    userId: Type.String(),
    email: orNull("Null if the user has none, and while the name is null."),
    emailConfirmed: Type.Boolean({ description: "Also false while the name is null." }),
    displayName: orNull(
      "Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you.",
    ),
    roles: Type.Array(Role),
    addedAt: Type.String({ format: "date-time" }),
    inheritedFrom: Type.Optional(
      Type.String({ description: "The project or organization that all of the roles come from." }),
    ),
  }),
);
const UserParams = Type.Object({
  documentId: Type.String({ maxLength: 64 }),
  userId: Type.String({ maxLength: 64 }),
});

function toUser(row: DocumentUser) {
  return {
    _id: row.user_id,
    id: row.user_id,
    userId: row.user_id,
    email: row.email,
    emailConfirmed: row.email_verified_at !== null,
    displayName: row.display_name,
    roles: row.roles as (typeof roles)[number][],
    addedAt: row.added_at.toISOString(),
    ...(row.inheritedFrom === undefined ? {} : { inheritedFrom: row.inheritedFrom }),
  };
}

/** Registers the routes of users and their roles on a document (specification, Vault; wire section 2). */
export function registerUserRoutes(http: Http, app: VaultApp, resource: Resource): void {
  const path = `${resource.path}/:documentId/users`;
  http.get(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "list_Users",
          summary: `List the users of a ${resource.noun}`,
          description: "Roles given here and roles inherited from the project or organization.",
        }),
        params: DocumentParams,
        response: { 200: UsersOut },
      },
    },
    async (req) => {
      const users = await listUsers(app.db, toScope(req.actor), {
        resource,
        id: req.params.documentId,
      });
      return users.map(toUser);
    },
  );
  http.post(
    path,
    {
      schema: {
        ...describe(resource, {
          operation: "add_User",
          summary: `Give a user roles on a ${resource.noun}`,
          description:
            "Owners only. The user is named by id or e-mail address, and notified by mail. Users added by id are shown by id only until they open the document, that is send a request to it or to one of its children; lists and leaving do not count.",
        }),
        params: DocumentParams,
        body: UserIn,
        response: { 200: UsersOut },
      },
    },
    async (req, reply) => {
      const { roles: newRoles = ["viewer"], ...reference } = req.body;
      // Before the transaction, since a rejection would roll back the count of failed lookups.
      const { documentId } = req.params;
      const by = toActorName(req.actor);
      const lookup = await lookUpUser(app, { ...reference, by, documentId });
      return answerWrite({ db: app.db, now: app.now, req, reply }, async (ctx) => {
        const target = { resource, id: documentId };
        const users = await addUser(ctx, app, {
          ...target,
          lookup,
          roles: newRoles,
          language: negotiateLanguage(req, mailLanguages),
        });
        return users.map(toUser);
      });
    },
  );
  http.delete(
    `${path}/:userId`,
    {
      schema: {
        ...describe(resource, {
          operation: "remove_User",
          summary: `Remove a user's roles on a ${resource.noun}`,
          description:
            "Owners remove others; every user may remove themselves. A document keeps at least one owner.",
        }),
        params: UserParams,
        response: { 200: UsersOut },
      },
    },
    async (req, reply) =>
      answerWrite({ db: app.db, now: app.now, req, reply }, async (ctx) => {
        const { documentId, userId } = req.params;
        const users = await removeUser(ctx, { resource, id: documentId, userId });
        return users.map(toUser);
      }),
  );
}
