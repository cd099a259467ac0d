import type { FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { hrefOf, paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../platform/http/cursors.ts";
import type { Http } from "../../platform/http/http.ts";
import { listAccepted, listAskable, toAcceptedName } from "../consents/tokens.ts";
import { getProject } from "../vault/access.ts";
import { listNamedEntries } from "./projects.ts";
import { AcceptedOut, AskableOut } from "./schema.ts";
import type { TokensApp } from "./token-routes.ts";

const id = Type.String({ maxLength: 64 });
const identifier = Type.String({ maxLength: 256 });
const AskableQueryIn = Type.Interface([Type.Omit(CursorQueryIn, ["limit"])], {
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 }),
});
const AcceptedListOut = cursorListOf(AcceptedOut);

/** Registers the lists of tokens that accepted something (specification, Client API; wire section 5). */
export function registerAcceptedRoutes(http: Http, app: TokensApp): void {
  registerAskable(http, app);
  registerAccepted(http, app);
  registerVendorAccepted(http, app);
}

function registerAskable(http: Http, app: TokensApp): void {
  http.get(
    paths.clientAccepted,
    {
      schema: {
        tags: ["client"],
        operationId: "listAskable",
        summary: "List what the accepted tokens can be asked for",
        description: "The next page is in the `Link` header.",
        params: Type.Object({ id }),
        querystring: AskableQueryIn,
        response: { 200: Type.Array(AskableOut) },
      },
    },
    async (req, reply) => {
      const { id: projectId } = req.params;
      const { publicUrl } = app;
      const { limit } = req.query;
      await getProject(app.db, toScope(req.actor), projectId, "readConsents");
      const { items, next } = await listAskable(app.db, projectId, req.query);
      if (next !== undefined) {
        const at = hrefOf(
          publicUrl,
          paths.clientAccepted,
          { id: projectId },
          { limit, cursor: next },
        );
        void reply.header("link", `<${at}>; rel="next"`);
      }
      return items.map((offer) => {
        const params = { id: projectId, identifier: toAcceptedName(offer) };
        return {
          identifier: params.identifier,
          name: offer.name,
          collection: offer.collection,
          links: {
            accepted: hrefOf(publicUrl, paths.clientAcceptedItem, params),
            project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
          },
        };
      });
    },
  );
}

function registerAccepted(http: Http, app: TokensApp): void {
  http.get(
    paths.clientAcceptedItem,
    {
      schema: {
        tags: ["client"],
        operationId: "listAccepted",
        summary: "List the tokens that accepted something",
        params: Type.Object({ id, identifier }),
        querystring: CursorQueryIn,
        response: { 200: AcceptedListOut },
      },
    },
    (req) => readAccepted(app, req, req.params, req.query),
  );
}

/** The slash between a configuration and its vendor may come encoded, or as it is. */
function registerVendorAccepted(http: Http, app: TokensApp): void {
  http.get(
    `${paths.clientAcceptedItem}/:vendor`,
    {
      schema: {
        // The same address in another spelling: told once.
        hide: true,
        params: Type.Object({ id, identifier, vendor: identifier }),
        querystring: CursorQueryIn,
        response: { 200: AcceptedListOut },
      },
    },
    (req) => {
      const named = `${req.params.identifier}/${req.params.vendor}`;
      return readAccepted(app, req, { id: req.params.id, identifier: named }, req.query);
    },
  );
}

async function readAccepted(
  { db, now, publicUrl }: TokensApp,
  { actor }: Pick<FastifyRequest, "actor">,
  params: { id: string; identifier: string },
  { limit, cursor }: CursorQueryIn,
): Promise<Static<typeof AcceptedListOut>> {
  const { id: projectId, identifier: name } = params;
  const project = await getProject(db, toScope(actor), projectId, "readConsents");
  const query = cursor === undefined ? { limit } : { limit, cursor };
  const isNamed = listNamedEntries(project).some((entry) => entry.identifier === name);
  const page = await listAccepted(db, { projectId, name, now: now(), isNamed }, query);
  const at = (here: string | undefined) =>
    hrefOf(publicUrl, paths.clientAcceptedItem, params, { limit, cursor: here });
  return {
    items: page.items.map(({ token, since, consent_id }) => ({
      token,
      since: since.toISOString(),
      consentId: consent_id,
      links: { consents: hrefOf(publicUrl, paths.clientConsents, { id: projectId, token }) },
    })),
    links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
  };
}
