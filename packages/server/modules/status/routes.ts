import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import type { StatusApp } from "./ports.ts";
import { StatusOut } from "./schema.ts";
import { getStatus } from "./status.ts";

/** Registers the status of the installation. */
export function registerStatusRoute(http: Http, app: StatusApp): void {
  http.get(
    paths.instanceStatus,
    {
      schema: {
        tags: ["service"],
        operationId: "getInstanceStatus",
        summary: "Get the state of the installation",
        description:
          "For operators: with OPERATOR_TOKEN, or a session of an operator's account. Versions, queues, the lag of the log and of webhooks, the disk, mails and the last backup; monitoring reads the same from `/metrics`.",
        response: { 200: StatusOut },
      },
    },
    async (_req, reply) => {
      void reply.header("cache-control", "no-store");
      return getStatus(app);
    },
  );
}
