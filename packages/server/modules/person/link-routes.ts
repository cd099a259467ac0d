import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerWrite } from "../../http/write.ts";
import { type Link, createLink, listLinks, revokeLink } from "../consents/links/links.ts";
import { Token } from "@avow/contract/consents";
import type { PersonApp } from "./answers/ports.ts";
import { LinkIn, LinkOut, NewLinkOut } from "./answers/schema.ts";
import type { Visitors } from "./answers/visitors.ts";

const tags = ["client"];
const id = Type.String({ maxLength: 64 });

type LinksApp = Pick<PersonApp, "db" | "now" | "publicUrl"> & { visitors: Visitors };

/** Registers the making, listing and revoking of links to a person's page. */
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
        summary: "Make a link to a person's own page",
        description:
          "There they read what they were shown and answered, change it, and take their receipts away. For the visitor who has the token, or whoever may bring in the project's consents; an API key needs `consents:write` and `consents:read`, as who has `url` reads what was answered. `url` is answered this once; a token has 20 links of visitors at most, and 20 that were made with an access token: of each the oldest ends when another is made. Visitors of one network make so many in a minute (429), and none where the project's `personPage.visitorLinks` is false, or where it has revoked a link of the token and made none since (403).",
        params: Type.Object({ id }),
        body: LinkIn,
        response: { 201: NewLinkOut },
      },
      config: { cors: "any" },
    },
    async (req, reply) => {
      app.visitors.assertMayLink(req);
      const { token, expiresAt } = req.body;
      const end = expiresAt === undefined ? undefined : new Date(expiresAt);
      const asked = { projectId: req.params.id, token, expiresAt: end };
      void reply.header("cache-control", "no-store");
      return answerWrite({ ...app, req, reply, status: 201 }, async (ctx) => {
        const { link, secret } = await createLink(ctx, asked);
        const page = { projectId: link.projectId, link: secret };
        return { ...toLinkOut(link, app), url: hrefOf(app.publicUrl, paths.personPage, page) };
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
        summary: "List the links to persons' pages that have not ended",
        description: "Newest first. None says its address, which only who made it has.",
        params: Type.Object({ id }),
        querystring: Type.Interface([CursorQueryIn], { token: Type.Optional(Token) }),
        response: { 200: cursorListOf(LinkOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { token, limit, cursor } = req.query;
      const asked = { projectId, token, limit, cursor, now: app.now() };
      const page = await listLinks(app.db, toScope(req.actor), asked);
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
        summary: "End a link to a person's page at once",
        description:
          "And those that visitors made with its token, who make no more until another link is made with an access token.",
        params: Type.Object({ id, linkId: id }),
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id: projectId, linkId } = req.params;
      await answerWrite({ ...app, req, reply, status: 204 }, (ctx) =>
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
