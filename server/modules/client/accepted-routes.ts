import { Type } from "typebox";
import { hrefOf, paths } from "../../paths.ts";
import { toScope } from "../../platform/actor.ts";
import { CursorQueryIn, cursorListOf } from "../../platform/http/cursors.ts";
import type { Http } from "../../platform/http/http.ts";
import { listAccepted, listAskable, toAcceptedName } from "../consents/tokens.ts";
import { getProject } from "../vault/access.ts";
import { AcceptedOut, AskableOut } from "./schema.ts";
import type { TokensApp } from "./token-routes.ts";

const id = Type.String({ maxLength: 64 });
const identifier = Type.String({ maxLength: 256 });

/** Registers the lists of tokens that accepted something (specification, Client API; wire section 5). */
export function registerAcceptedRoutes(http: Http, app: TokensApp): void {
  registerAskable(http, app);
  // The slash between a configuration and its vendor may come encoded, or as it is.
  registerAccepted(http, app, paths.clientAcceptedItem);
  registerAccepted(http, app, `${paths.clientAcceptedItem}/:vendor`);
}

function registerAskable(http: Http, app: TokensApp): void {
  http.get(
    paths.clientAccepted,
    {
      schema: {
        tags: ["client"],
        operationId: "listAskable",
        summary: "List what the accepted tokens can be asked for",
        params: Type.Object({ id }),
        response: { 200: Type.Array(AskableOut) },
      },
    },
    async (req) => {
      const { id: projectId } = req.params;
      const { publicUrl } = app;
      await getProject(app.db, toScope(req.actor), projectId, "readConsents");
      const offers = await listAskable(app.db, projectId);
      return offers.map((offer) => {
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

function registerAccepted(http: Http, app: TokensApp, path: string): void {
  http.get(
    path,
    {
      schema: {
        tags: ["client"],
        operationId: path.endsWith("/:vendor") ? "listVendorAccepted" : "listAccepted",
        summary: "List the tokens that accepted something",
        params: Type.Object({ id, identifier, vendor: Type.Optional(identifier) }),
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(AcceptedOut) },
      },
    },
    async (req) => {
      const { id: projectId, vendor } = req.params;
      const { limit, cursor } = req.query;
      const { publicUrl } = app;
      const name = req.params.identifier + (vendor === undefined ? "" : `/${vendor}`);
      await getProject(app.db, toScope(req.actor), projectId, "readConsents");
      const asked = { projectId, name, now: app.now() };
      const page = await listAccepted(app.db, asked, req.query);
      const params = { id: projectId, identifier: name };
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
    },
  );
}
