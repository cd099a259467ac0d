import { Type } from "typebox";
import { toInstants } from "@avow/contract/instants";
import { hrefOf, paths, withHost } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerDataWrite } from "../../http/write.ts";
import {
  type Link,
  assertMayCreateLink,
  createLink,
  listLinks,
  revokeLink,
} from "../consents/links/links.ts";
import { planesOf, within } from "../../platform/db/buckets/buckets.ts";
import { findBrand } from "../vault/brands/brands.ts";
import { getProject } from "../vault/documents/access.ts";
import { Token } from "@avow/contract/consents";
import type { PersonRoutesApp } from "./answers/ports.ts";
import { LinkIn, LinkOut, NewLinkOut } from "./answers/schema.ts";
import type { Visitors } from "./answers/visitors.ts";

const tags = ["client"];
const id = Type.String({ maxLength: 64 });

type LinksApp = Pick<PersonRoutesApp, "db" | "buckets" | "now" | "publicUrl"> & {
  visitors: Visitors;
};

/** Registers the creation, list and revocation of links to a person's page. */
export function registerLinkRoutes(http: Http, app: LinksApp): void {
  registerCreation(http, app);
  registerReads(http, app);
}

function registerCreation(http: Http, app: LinksApp): void {
  http.post(
    paths.personLinks,
    {
      schema: {
        tags,
        operationId: "createPersonLink",
        summary: "Create a link to a person's own page",
        description:
          "On that page, the person reads the texts they were shown and their answers, changes answers, and downloads receipts. For the visitor who has the token, or users who may import the project's consents; an API key needs `consents:write` and `consents:read`, since `url` gives access to the answers. `url` is returned only once. A token has at most 20 links created by visitors and 20 created with an access token: another one replaces the oldest of its kind. Limited per minute for visitors of one network (429), and forbidden to visitors if the project's `personPage.visitorLinks` is false, or if the project revoked a link of the token and has not created one since (403).",
        params: Type.Object({ id }),
        body: LinkIn,
        response: { 201: NewLinkOut },
      },
      config: { cors: "any" },
    },
    async (req, reply) => {
      app.visitors.assertMayLink(req);
      const { token, expiresAt } = req.body;
      const end = expiresAt === undefined ? undefined : toInstants(expiresAt).last;
      const request = { projectId: req.params.id, token, expiresAt: end };
      const own = await within(app, request.projectId);
      await assertMayCreateLink(own, req.actor, request);
      void reply.header("cache-control", "no-store");
      const brand = await findBrand(own.db, request.projectId);
      const base = withHost(app.publicUrl, brand?.host);
      return answerDataWrite({ ...own, req, reply, status: 201 }, async (ctx) => {
        const { link, secret } = await createLink(ctx, request);
        const page = { projectId: link.projectId, link: secret };
        return { ...toLinkOut(link, app), url: hrefOf(base, paths.personPage, page) };
      });
    },
  );
}

function registerReads(http: Http, app: LinksApp): void {
  http.get(
    paths.personLinks,
    {
      schema: {
        tags,
        operationId: "listPersonLinks",
        summary: "List the valid links to persons' pages",
        description: "Newest first, without their URLs, which are returned only at creation.",
        params: Type.Object({ id }),
        querystring: Type.Interface([CursorQueryIn], { token: Type.Optional(Token) }),
        response: { 200: cursorListOf(LinkOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { token, limit, cursor } = req.query;
      const query = { projectId, token, limit, cursor, now: app.now() };
      const page = await listLinks(await planesOf(app, projectId), toScope(req.actor), query);
      const hrefAt = (here: string | undefined) =>
        hrefOf(app.publicUrl, paths.personLinks, { id: projectId }, { token, limit, cursor: here });
      return {
        items: page.items.map((link) => toLinkOut(link, app)),
        links: {
          self: hrefAt(cursor),
          ...(page.next === undefined ? {} : { next: hrefAt(page.next) }),
        },
      };
    },
  );
  http.delete(
    paths.personLink,
    {
      schema: {
        tags,
        operationId: "revokePersonLink",
        summary: "Revoke a link to a person's page",
        description:
          "Also revokes the links that visitors created with its token. Visitors cannot create others until a link is created with an access token.",
        params: Type.Object({ id, linkId: id }),
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id: projectId, linkId } = req.params;
      await getProject(app.db, toScope(req.actor), projectId);
      const own = await within(app, projectId);
      await answerDataWrite({ ...own, req, reply, status: 204 }, (ctx) =>
        revokeLink(ctx, { projectId, id: linkId }),
      );
      return null;
    },
  );
}

function toLinkOut(link: Link, { publicUrl }: Pick<LinksApp, "publicUrl">) {
  const { id: linkId, projectId, token, createdBy, createdAt, expiresAt } = link;
  return {
    id: linkId,
    projectId,
    token,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt.toISOString(),
    links: {
      self: hrefOf(publicUrl, paths.personLink, { id: projectId, linkId }),
      consents: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
}
