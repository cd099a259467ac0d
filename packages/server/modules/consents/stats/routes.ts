import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import type { Http } from "../../../http/http.ts";
import { negotiate } from "../../../http/files/negotiation.ts";
import { StatsOut, StatsQueryIn } from "./schema.ts";
import {
  PublicationStatsOut,
  PublicationStatsQueryIn,
  SitesStatsOut,
  SitesStatsQueryIn,
} from "./comparisons-schema.ts";
import { getPublicationStats } from "./publication-stats.ts";
import { getSitesStats } from "./sites.ts";
import {
  toPublicationCsv,
  toPublicationOut,
  toSitesCsv,
  toSitesOut,
  toStatsCsv,
  toStatsOut,
} from "./stats-out.ts";
import { type StatsApp, getStats } from "./stats.ts";

const CSV = "text/csv; charset=utf-8; header=present";
const formats = new Map<string, "json" | "csv">([
  ["application/json", "json"],
  ["text/csv", "csv"],
]);

type StatsRoutesApp = StatsApp & { publicUrl: string };

/** Registers the statistics of displays and answers, and their comparisons. */
export function registerStatsRoutes(http: Http, app: StatsRoutesApp): void {
  registerStatsRoute(http, app);
  registerPublicationStatsRoute(http, app);
  registerSitesStatsRoute(http, app);
}

function registerStatsRoute(http: Http, app: StatsRoutesApp): void {
  http.get(
    paths.stats,
    {
      schema: {
        tags: ["app"],
        operationId: "getStatistics",
        summary: "Get statistics of displays and answers",
        description:
          "By day or hour of a time zone, optionally by configuration, language, device, step, page, country or vendor. Displays are counted without any identifier, within a second; answers are counted from the project's records, within two seconds.",
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

function registerPublicationStatsRoute(http: Http, app: StatsRoutesApp): void {
  http.get(
    paths.publicationStats,
    {
      schema: {
        tags: ["app"],
        operationId: "getPublicationStatistics",
        summary: "Compare the statistics before and after a publication",
        description:
          "The two windows have equal length and surround the publication of a version in production. Neither contains another publication.",
        params: Type.Object({
          projectId: Type.String({ maxLength: 64 }),
          version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        }),
        querystring: PublicationStatsQueryIn,
        response: { 200: PublicationStatsOut },
      },
      config: { streamed: ["text/csv"] },
    },
    async (req, reply) => {
      const { params, query } = req;
      const stats = await getPublicationStats(app, toScope(req.actor), { ...params, ...query });
      const accepted = negotiate(req, reply, formats) ?? "json";
      if ((query.format ?? accepted) === "json") return toPublicationOut(stats, app.publicUrl);
      const name = `statistics-${params.projectId}-version-${params.version}.csv`;
      void reply.header("content-disposition", `attachment; filename="${name}"`);
      return reply.type(CSV).send(toPublicationCsv(stats) as never);
    },
  );
}

function registerSitesStatsRoute(http: Http, app: StatsRoutesApp): void {
  http.get(
    paths.siteStats,
    {
      schema: {
        tags: ["app"],
        operationId: "compareSites",
        summary: "Compare the statistics of sites",
        description:
          "The counts of the projects whose statistics the caller may read, in the latest whole UTC days and in as many days before.",
        querystring: SitesStatsQueryIn,
        response: { 200: SitesStatsOut },
      },
      config: { streamed: ["text/csv"] },
    },
    async (req, reply) => {
      const { organization, group, days, format } = req.query;
      const stats = await getSitesStats(app, toScope(req.actor), { organization, group, days });
      const accepted = negotiate(req, reply, formats) ?? "json";
      if ((format ?? accepted) === "json") {
        const query = {
          days: String(days),
          ...(organization === undefined ? {} : { organization }),
          ...(group === undefined ? {} : { group }),
        };
        return toSitesOut(stats, app.publicUrl, query);
      }
      void reply.header("content-disposition", 'attachment; filename="statistics-sites.csv"');
      return reply.type(CSV).send(toSitesCsv(stats) as never);
    },
  );
}
