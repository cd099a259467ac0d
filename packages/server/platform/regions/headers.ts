import type { Region } from "@avow/contract/regions";

/** Names of headers in lower case. */
export interface RegionHeaders {
  country: string;
  subdivision: string | undefined;
}

/** The headers of edges that name the visitor's region by themselves or by a setting of theirs. */
export const headersOfEdges: Readonly<Record<string, RegionHeaders>> = {
  // https://developers.cloudflare.com/rules/transform/managed-transforms/reference/ ("Add visitor location headers")
  cloudflare: { country: "cf-ipcountry", subdivision: "cf-region-code" },
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
  cloudfront: {
    country: "cloudfront-viewer-country",
    subdivision: "cloudfront-viewer-country-region",
  },
  // https://vercel.com/docs/headers/request-headers
  vercel: { country: "x-vercel-ip-country", subdivision: "x-vercel-ip-country-region" },
  // Set in VCL from `client.geo.country_code` and `client.geo.region`, since Fastly sends no such header by itself.
  fastly: { country: "fastly-geo-country", subdivision: "fastly-geo-region" },
};

/** Codes that stand for no country: unknown, reserved, or a continent (Cloudflare, MaxMind). */
const noCountries = new Set(["XX", "ZZ", "EU", "AP"]);

/** The value of a header or of a database's field. */
type Code = string | readonly string[] | undefined;

/** A header that came twice is ambiguous. */
function toText(code: Code): string {
  return typeof code === "string" ? code.toUpperCase() : "";
}

/** A region by its codes (ISO 3166-1 alpha-2, ISO 3166-2 without the country); undefined if the country is unknown. */
export function toRegion(country: Code, subdivision: Code): Region | undefined {
  const code = toText(country);
  if (!/^[A-Z]{2}$/.test(code) || noCountries.has(code)) return undefined;
  const part = toText(subdivision);
  return /^[A-Z0-9]{1,3}$/.test(part) ? `${code}-${part}` : code;
}
