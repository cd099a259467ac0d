import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import { planesOf, within } from "../../../platform/db/buckets/buckets.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { PendingOut } from "../../../http/errors/pending.ts";
import { answerDataWrite } from "../../../http/write.ts";
import { proposeErasure } from "../../consents/erase/proposals.ts";
import { hasErasureRule } from "../../consents/erase/rule.ts";
import { type ErasureRoutes, toErasureOut } from "./erasure-out.ts";
import { eraseToken, getErasureReceipt, listErasures } from "./erasures.ts";
import { registerProposalRoutes, toProposalOut } from "./proposal-routes.ts";
import { ErasureProposalOut } from "./proposal-schema.ts";
import { assertReadable } from "../../consents/commitments/recorded.ts";
import { ErasureOut, ErasureReceiptOut } from "../log/schema.ts";

const tags = ["app"];
const id = Type.String({ maxLength: 64 });

/** Registers erasure and its receipts (wire section 4). */
export function registerErasureRoutes(http: Http, app: ErasureRoutes): void {
  http.delete(
    paths.erasedToken,
    {
      schema: {
        tags,
        operationId: "eraseToken",
        summary: "Erase a person's data",
        description:
          "Permanently deletes every record of the token, its states, and the salts of the log's commitments. The log keeps the leaves, which reveal nothing without the salts, and gets an entry about the erasure; `links.self` is the receipt. A token without records, or one that was erased, is 404. If the project requires a second person, nothing is erased yet, and the response is 202 with the proposal.",
        params: Type.Object({ projectId: id, token: Type.String({ maxLength: 256 }) }),
        response: { 200: ErasureOut, 202: ErasureProposalOut },
      },
    },
    async (req, reply) => {
      const own = await within(app, req.params.projectId);
      await assertReadable(own.db, toScope(req.actor), req.params.projectId);
      if (await hasErasureRule(app.db, req.params.projectId)) {
        const proposal = await answerDataWrite({ ...own, req, reply, status: 202 }, (ctx) =>
          proposeErasure(ctx, req.params),
        );
        return toProposalOut(proposal, app.publicUrl);
      }
      const erasure = await answerDataWrite({ ...own, req, reply }, (ctx) =>
        eraseToken(ctx, req.params),
      );
      return toErasureOut(erasure, app.publicUrl);
    },
  );
  registerReads(http, app);
  registerProposalRoutes(http, app);
}

function registerReads(http: Http, app: ErasureRoutes): void {
  const { publicUrl } = app;
  http.get(
    paths.erasures,
    {
      schema: {
        tags,
        operationId: "listErasures",
        summary: "List a project's erasures, newest first",
        description: "Erasures on request and by the retention period; they name nobody.",
        params: Type.Object({ projectId: id }),
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(ErasureOut) },
      },
    },
    async (req) => {
      const { projectId } = req.params;
      const { limit, cursor } = req.query;
      const planes = await planesOf(app, projectId);
      const page = await listErasures(planes, toScope(req.actor), { projectId, limit, cursor });
      const at = (here: string | undefined) =>
        hrefOf(publicUrl, paths.erasures, { projectId }, { limit, cursor: here });
      return {
        items: page.items.map((erasure) => toErasureOut(erasure, publicUrl)),
        links: { self: at(cursor), ...(page.next === undefined ? {} : { next: at(page.next) }) },
      };
    },
  );
  http.get(
    paths.erasure,
    {
      schema: {
        tags,
        operationId: "getErasureReceipt",
        summary: "Get the receipt of an erasure",
        description:
          "Proves what was erased, when, and who requested it. Verify it with `avow verify` or the verifier's page. An erasure is in the log about a second after it was requested; until then this is 202 with `Retry-After`.",
        params: Type.Object({ projectId: id, id }),
        response: { 200: ErasureReceiptOut, 202: PendingOut },
      },
    },
    async (req, reply) => {
      void reply.header("cache-control", "private, no-store");
      const planes = await planesOf(app, req.params.projectId);
      return getErasureReceipt(planes, toScope(req.actor), req.params);
    },
  );
}
