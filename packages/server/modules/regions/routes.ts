import { Type } from "typebox";
import { paths } from "@avow/contract/urls";
import type { Http } from "../../http/http.ts";
import type { Regions } from "../../platform/regions/regions.ts";

const CACHE_SECONDS = 600;

/** Registers the visitor's region, by which the widget selects a consent model. */
export function registerRegionRoute(http: Http, { regions }: { regions: Regions }): void {
  http.get(
    paths.region,
    {
      schema: {
        tags: ["client"],
        operationId: "getRegion",
        summary: "Get the visitor's region",
        description:
          "The widget calls this if a configuration has rules by region. Public. Nothing about the visitor is stored.",
        response: {
          200: Type.Object({
            region: Type.Union([Type.String(), Type.Null()], {
              description:
                "A country (`FR`) or a subdivision (`US-CA`), by the headers of the edge or the service's MMDB file; null if unknown.",
            }),
            gpc: Type.Boolean({ description: "Whether the request carried `Sec-GPC: 1`." }),
          }),
        },
      },
      config: { cors: "any" },
    },
    (req, reply) => {
      void reply.header("cache-control", `private, max-age=${CACHE_SECONDS}`);
      return { region: regions.findRegion(req) ?? null, gpc: req.headers["sec-gpc"] === "1" };
    },
  );
}
