import { Type } from "typebox";
import { ServiceFields } from "@avow/contract/document";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import { answerWrite } from "../../http/write.ts";
import { toScope } from "../../kernel/actor.ts";
import { type Document, toDocument } from "../vault/documents/documents.ts";
import { findTierOf } from "../vault/documents/tiers.ts";
import { getInheritance, resetInherited } from "./inheritance.ts";
import type { TemplatesApp } from "./ports.ts";
import { InheritanceOut, ResetIn, ResetParams, SiteParams } from "./schema.ts";

const tags = ["vault"];

/** Registers the routes of what a site has from its template. */
export function registerInheritanceRoutes(http: Http, app: TemplatesApp): void {
  const { publicUrl } = app.config.http;
  http.get(
    paths.inheritance,
    {
      schema: {
        tags,
        summary: "Get what a site has from its template",
        description:
          "Its documents with the fields that the site may change, and those that have a value of its own. 404 for a project without a template.",
        operationId: "getInheritance",
        params: SiteParams,
        response: { 200: InheritanceOut },
      },
    },
    async (req) => {
      const { projectId } = req.params;
      const found = await getInheritance(app.db, toScope(req.actor), projectId);
      const self = hrefOf(publicUrl, paths.inheritance, { projectId });
      return { projectId, ...found, links: { self } };
    },
  );
  http.post(
    paths.inheritanceReset,
    {
      schema: {
        tags,
        summary: "Give fields of an inherited document the template's values again",
        description:
          "Without `fields`, all fields with a value of the site's own. Returns the document.",
        operationId: "resetInheritedDocument",
        params: ResetParams,
        body: ResetIn,
        response: { 200: Type.Object(ServiceFields.properties, { additionalProperties: true }) },
      },
    },
    (req, reply) =>
      answerWrite<Document>({ db: app.db, now: app.now, req, reply }, async (ctx) => {
        const request = { ...req.params, fields: req.body?.fields };
        const { row, warnings } = await resetInherited(ctx, app, request);
        const tier = await findTierOf(ctx.tx, app, row, ctx.now);
        return toDocument(row, { publicUrl, tier, warnings });
      }),
  );
}
