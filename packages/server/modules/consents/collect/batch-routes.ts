import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { toProblem } from "../../../http/errors/failures.ts";
import { ProblemOut } from "../../../http/errors/problems.ts";
import { answerDataWrite } from "../../../http/write.ts";
import { within } from "../../../platform/db/buckets/buckets.ts";
import { type Check, compileCheck, createAjv } from "../../../kernel/schemas.ts";
import { findMalformed } from "../../../platform/text/wellformed.ts";
import { collectBatch } from "./batch.ts";
import type { ConsentsApp } from "./collect.ts";
import { toConsent } from "../records/consent-out.ts";
import { BatchItemIn, ConsentOut } from "@avow/contract/consents";
import { assertMayAddConsents, toSender } from "./sender.ts";

const ITEMS_MAX = 500;
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const ITEM_BYTES_MAX = 100 * 1024;

/** Registers batch collection, for offline queues and beacons (wire section 4). */
export function registerBatchRoute(http: Http, app: ConsentsApp): void {
  const check = compileCheck(createAjv(false), BatchItemIn);
  http.post(
    paths.collectBatch,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["app"],
        consumes: ["application/json", "text/plain"],
        operationId: "collectConsents",
        summary: "Collect up to 500 consents",
        description:
          "Returns one result per item, in order: the consent, or a problem. Resending an `id` adds nothing. Items beyond the limits of one batch get a `too-large` problem: send them again in a smaller batch.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        // Items are validated one by one, so that one invalid item does not reject the others.
        body: Type.Array(Type.Unsafe<unknown>({ description: "A consent with an `id`." }), {
          maxItems: ITEMS_MAX,
        }),
        response: { 200: Type.Array(Type.Union([ConsentOut, ProblemOut])) },
      },
      config: { session: "ignored", cors: "any", malformedBody: "route", log: "failures" },
    },
    async (req, reply) => {
      const items = req.body.map((item) => readItem(check, item));
      const { projectId } = req.params;
      const isServer = req.actor.kind === "user";
      if (isServer) await assertMayAddConsents(app.db, req.actor, projectId);
      const sender = toSender(req.headers, isServer, app.regions.findRegion(req));
      const batch = { projectId, sender, items };
      const instance = req.url.split("?", 1)[0] ?? "";
      const collect = async () => {
        const results = await collectBatch(app, batch);
        return results.map((result) =>
          result instanceof Fault
            ? toProblem(result.kind, result, instance)
            : toConsent(result, app.publicUrl),
        );
      };
      // Each item has its own key. With a key for the whole batch, the response is stored as well.
      if (req.headers["idempotency-key"] === undefined) return collect();
      const write = { ...(await within(app, projectId)), req, reply, hasEvents: false };
      return answerDataWrite(write, collect);
    },
  );
}

function readItem(check: Check, item: unknown): { item: BatchItemIn; sizeBytes: number } | Fault {
  try {
    assertNoFaults(findMalformed(item));
    const sizeBytes = Buffer.byteLength(JSON.stringify(item));
    if (sizeBytes > ITEM_BYTES_MAX)
      throw new Fault("too-large", `A consent has at most ${ITEM_BYTES_MAX / 1024} KiB.`);
    assertNoFaults(check(item));
    return { item: item as BatchItemIn, sizeBytes };
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
