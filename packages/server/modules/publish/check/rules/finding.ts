import type { Vendor } from "@avow/contract/configuration";
import type { Content, PublishedCookies, PublishedStep } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";

/** An error breaks the law as it stands; a warning needs a person's assessment. */
export const severities = ["error", "warning"] as const;
type Severity = (typeof severities)[number];

/** A problem in a content. */
export interface Fault {
  /** JSON pointer into the published file (RFC 6901). */
  path: string;
  message: string;
  /** How to fix it. */
  fix: string;
  /** The values in the message, in its order, for translations. */
  about: string[];
}

/** Facts about a project's website that are not in the content. */
export interface Site {
  /** Hosts of the website and of the service, such as `shop.example`. */
  hosts: ReadonlySet<string>;
  /** Languages of the website. */
  locales: readonly string[];
}

export interface Rule {
  /** Permanent name, in kebab case. */
  id: string;
  severity: Severity;
  /** Legal or technical source of the rule. */
  source: string;
  find: (content: Content, site: Site) => Fault[];
}

/** A problem with its rule (wire section 3). */
export interface Finding extends Fault {
  rule: string;
  severity: Severity;
  source: string;
}

/** The title of a configuration, step or vendor, with its identifier as a fallback. */
export function toTitle(named: { title?: unknown; name?: unknown; identifier?: string }): string {
  return (titleOf(named) ?? named.identifier ?? "").trim();
}

/** The quoted title. */
export function quote(named: Parameters<typeof toTitle>[0]): string {
  return `“${toTitle(named)}”`;
}

/** The steps of a content's cookie configurations, with their paths. */
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

/** The vendors of a content's cookie configurations, with their paths. */
export function listVendors(content: Content): { vendor: Vendor; path: string }[] {
  return listSteps(content).flatMap(({ step, path }) =>
    (step.vendors ?? []).map((vendor, n) => ({ vendor, path: `${path}/vendors/${n}` })),
  );
}
