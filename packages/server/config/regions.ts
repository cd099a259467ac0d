import { type RegionHeaders, headersOfEdges } from "../platform/regions/headers.ts";
import { type Kind, path } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

const edges = Object.keys(headersOfEdges);
const headerName = /^[A-Za-z0-9-]{1,64}$/;

/** The name of an edge, or the names of one or two headers. */
const regionHeaders: Kind<RegionHeaders> = {
  expected: `one of ${edges.join(", ")}, or the names of a header with the country and of one with its subdivision, separated by a comma`,
  values: `${edges.join(", ")}, or names such as X-Country,X-Region`,
  parse(given) {
    const known = headersOfEdges[given];
    if (known) return known;
    const [country, subdivision, ...more] = given.split(",").map((name) => name.trim());
    // The name of an edge with a typing error is no header: these have a hyphen.
    if (!country?.includes("-") || more.length > 0) return undefined;
    if (!headerName.test(country) || !headerName.test(subdivision ?? "-")) return undefined;
    return { country: country.toLowerCase(), subdivision: subdivision?.toLowerCase() };
  },
};

/** Sources of a visitor's region, for configurations with rules by region. */
export const regions = {
  REGION_HEADERS: setting(regionHeaders, {
    path: "regions.headers",
    description:
      "Headers in which the CDN or proxy sends the visitor's country and subdivision; read only from trusted proxies (TRUST_PROXY).",
  }),
  REGION_DATABASE: setting(path("the path of a file"), {
    path: "regions.database",
    description:
      "MMDB file of countries or cities (MaxMind GeoLite2, DB-IP, IPinfo), for visitors whose region no header names; reloaded when it changes.",
  }),
};

/** Errors of settings that only make sense together. */
export function findRegionErrors({
  REGION_HEADERS: headers,
  TRUST_PROXY: proxies,
}: Partial<ValuesOf<typeof regions>> & { TRUST_PROXY?: unknown }): string[] {
  const isTrusting = proxies !== undefined && proxies !== false && proxies !== 0;
  return headers && !isTrusting
    ? ["REGION_HEADERS: requires TRUST_PROXY, because anybody can send these headers"]
    : [];
}
