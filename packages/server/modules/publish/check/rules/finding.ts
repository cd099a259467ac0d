import type { Vendor } from "@avow/contract/configuration";
import type { Content, PublishedCookies, PublishedStep } from "@avow/contract/published";
import { titleOf } from "@avow/contract/titles";

/** How much a finding weighs: an error is against the law as it is, a warning is for a person to decide. */
export const severities = ["error", "warning"] as const;
type Severity = (typeof severities)[number];

/** What is wrong at one place of a content. */
export interface Fault {
  /** Where, as a JSON pointer into the published file (RFC 6901). */
  path: string;
  /** What is there. */
  message: string;
  /** How to mend it. */
  fix: string;
  /** What the message names, in its order: for who says it in other words. */
  about: string[];
}

/** What is known of a project's website beside what is published. */
export interface Site {
  /** Of the website and of the service, such as `shop.example`. */
  hosts: ReadonlySet<string>;
  /** Languages that it is in. */
  locales: readonly string[];
}

/** One rule of the publish check. */
export interface Rule {
  /** Its name for ever, in small letters with hyphens. */
  id: string;
  severity: Severity;
  /** Where it comes from. */
  source: string;
  find: (content: Content, site: Site) => Fault[];
}

/** What the publish check says of one place (wire section 3). */
export interface Finding extends Fault {
  rule: string;
  severity: Severity;
  source: string;
}

/** A configuration, a step or a vendor: its title, or whatever else names it. */
export function toTitle(named: { title?: unknown; name?: unknown; identifier?: string }): string {
  return (titleOf(named) ?? named.identifier ?? "").trim();
}

/** The same in a sentence. */
export function quote(named: Parameters<typeof toTitle>[0]): string {
  return `“${toTitle(named)}”`;
}

/** The steps of a content's cookie configurations, with their places. */
export function listSteps(
  content: Content,
): { step: PublishedStep; configuration: PublishedCookies; path: string }[] {
  return content.cookies.flatMap((configuration, at) =>
    (configuration.steps ?? []).map((step, n) => ({
      step,
      configuration,
      path: `/cookies/${at}/steps/${n}`,
    })),
  );
}

/** The vendors of a content's cookie configurations, with their places. */
export function listVendors(content: Content): { vendor: Vendor; path: string }[] {
  return listSteps(content).flatMap(({ step, path }) =>
    (step.vendors ?? []).map((vendor, n) => ({ vendor, path: `${path}/vendors/${n}` })),
  );
}
