import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { negotiate } from "../../../http/files/negotiation.ts";
import { StatsOut, StatsQueryIn } from "./schema.ts";
import { toStatsCsv, toStatsOut } from "./stats-out.ts";
import { type StatsApp, getStats } from "./stats.ts";

const CSV = "text/csv; charset=utf-8; header=present";
const formats = new Map<string, "json" | "csv">([
  ["application/json", "json"],
  ["text/csv", "csv"],
]);

/** Registers the statistics of displays and answers. */
export function registerStatsRoute(http: Http, app: StatsApp & { publicUrl: string }): void {
  http.get(
    paths.stats,
    {
      schema: {
        tags: ["app"],
        operationId: "getStatistics",
        summary: "Get statistics of displays and answers",
        description:
          "By day or hour of a time zone, optionally by configuration, language, device or step. Displays are counted without any identifier, within a second; answers are counted from the project's records, within two seconds.",
        params: Type.Object({ projectId: Type.String({ maxLength: 64 }) }),
        querystring: StatsQueryIn,
        response: { 200: StatsOut },
      },
      config: { streamed: ["text/csv"] },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      const stats = await getStats(app, toScope(req.actor), { ...req.query, projectId });
      const accepted = negotiate(req, reply, formats) ?? "json";
      if ((req.query.format ?? accepted) === "json") return toStatsOut(stats, app.publicUrl);
      const name = `statistics-${projectId}-${stats.by}.csv`;
      void reply.header("content-disposition", `attachment; filename="${name}"`);
      return reply.type(CSV).send(toStatsCsv(stats, req.query.dialect) as never);
    },
  );
}
