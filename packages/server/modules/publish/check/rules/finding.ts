import type { Content } from "../../content/content.ts";
import type { Fields } from "../../content/fields.ts";

/** How much a finding weighs: an error is against the law as it is, a warning is for a person to decide. */
export const severities = ["error", "warning"] as const;
export type Severity = (typeof severities)[number];

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

/** A list of objects; empty for anything else. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
}

/** A text without what is around it; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

/** How a configuration, a step or a vendor is called in a sentence. */
export function nameOf(one: Fields): string {
  return `“${titleOf(one)}”`;
}

/** How a configuration, a step or a vendor is called. */
export function titleOf(one: Fields): string {
  return textOf(one["title"]) || textOf(one["name"]) || textOf(one["identifier"]);
}

/** The steps of a content's cookie configurations, with their places. */
export function listSteps(
  content: Content,
): { step: Fields; configuration: Fields; path: string }[] {
  return content.cookies.flatMap((configuration, at) =>
    listOf(configuration["steps"]).map((step, n) => ({
      step,
      configuration,
      path: `/cookies/${at}/steps/${n}`,
    })),
  );
}

/** The vendors of a content's cookie configurations, with their places. */
export function listVendors(content: Content): { vendor: Fields; step: Fields; path: string }[] {
  return listSteps(content).flatMap(({ step, path }) =>
    listOf(step["vendors"]).map((vendor, n) => ({ vendor, step, path: `${path}/vendors/${n}` })),
  );
}
