import { Type } from "typebox";
import { Fault } from "../../platform/errors.ts";
import { paths } from "@avow/contract/urls";
import type { Http } from "../http.ts";

const Health = Type.Object({ status: Type.String() });

const schema = (operationId: string, summary: string, description: string) => ({
  tags: ["service"],
  operationId,
  summary,
  description,
  response: { 200: Health },
});

/** Registers `/health/live` (the process answers) and `/health/ready` (it can do its work). */
export function registerHealth(http: Http, isReady: () => Promise<void>): void {
  http.get(
    paths.healthLive,
    {
      schema: schema(
        "getLiveness",
        "Check whether the process answers",
        "For a supervisor that restarts the process. The database is not checked.",
      ),
      logLevel: "warn",
    },
    async () => ({ status: "live" }),
  );
  http.get(
    paths.healthReady,
    {
      schema: schema(
        "getReadiness",
        "Check whether the service can do its work",
        "For a load balancer: 503 while the database does not respond.",
      ),
      logLevel: "warn",
    },
    async () => {
      await isReady().catch((error: unknown) => {
        throw new Fault("busy", "The database does not respond.", { cause: error });
      });
      return { status: "ready" };
    },
  );
}
