import { type Content, type ListName, listNames } from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import { toCanonical } from "../content/content.ts";
import { withHeldBack } from "../selection/composed.ts";
import type { ConfigurationResult, HeldBack, PublishResults } from "../selection/selection.ts";
import { type Selection, isSelected } from "../selection/selection.ts";
import type { Finding, Site } from "./rules/finding.ts";
import { findAll, isForceable } from "./rules/rules.ts";

/** Maximum number of findings that are kept for one configuration. */
const FINDINGS_MAX = 20;

/** A configuration in a content. */
export interface Located {
  collection: ListName;
  identifier: string;
  /** JSON pointer into the configuration. */
  path: string;
}

interface HoldRequest {
  /** With unpublished pictures, since the rules need no copies of them. */
  content: Content;
  live: Content | undefined;
  selection: Selection | null;
  site: Site;
  /** Whether errors that an owner may override hold a configuration back. */
  holdsForceable: boolean;
  versions: ReadonlyMap<string, number>;
}

/**
 * The configurations of a request that have errors of the publish check (wire section 9). They stay at their live
 * version, which is not checked again.
 */
export function listHeldBack(request: HoldRequest): HeldBack[] {
  const { live, selection, site, holdsForceable } = request;
  const held = new Map<string, HeldBack>();
  let { content } = request;
  // Findings of one configuration can depend on another, so the remaining ones are checked again.
  for (;;) {
    const found = findErrors(content, site, holdsForceable).flatMap((finding) => {
      const located = locate(content, finding.path);
      if (!located || held.has(located.identifier)) return [];
      return isSelected(selection, located.collection, located.identifier)
        ? [{ finding, located }]
        : [];
    });
    if (found.length === 0) return [...held.values()];
    for (const [identifier, own] of Map.groupBy(found, ({ located }) => located.identifier))
      held.set(identifier, toHeldBack(request, own));
    content = withHeldBack(content, live, new Set(held.keys()));
  }
}

function findErrors(content: Content, site: Site, withForceable: boolean): Finding[] {
  return findAll(content, site).filter(
    ({ severity, rule, path }) =>
      severity === "error" && (withForceable || !isForceable(rule) || isVariant(content, path)),
  );
}

/** Whether a path leads into a variant of an A/B test, whose errors cannot be overridden. */
function isVariant(content: Content, path: string): boolean {
  const { cookies } = content;
  const located = locate(content, path);
  const found = cookies.find(({ identifier }) => identifier === located?.identifier);
  return found?.settings?.variantOf !== undefined;
}

/** The configuration that a finding's path leads into; undefined for one of the project. */
export function locate(content: Content, path: string): Located | undefined {
  const [, list, at, inner = ""] = /^\/(\w+)\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const collection = listNames.find((name) => name === list);
  const found = collection && content[collection][Number(at)];
  return found && { collection, identifier: found.identifier, path: inner };
}

function toHeldBack(
  { content, versions }: HoldRequest,
  found: readonly { finding: Finding; located: Located }[],
): HeldBack {
  const [first] = found;
  if (!first) throw new Error("a configuration is held back without a finding");
  const { collection, identifier } = first.located;
  const more = found.length > 1 ? ` And ${found.length - 1} more.` : "";
  return {
    ...toResult({ content, versions }, collection, identifier),
    reason: `${first.finding.message} ${first.finding.fix}${more}`,
    findings: found
      .slice(0, FINDINGS_MAX)
      .map(({ finding, located: { path } }) => ({ ...finding, path })),
  };
}

function toResult(
  { content, versions }: Pick<HoldRequest, "content" | "versions">,
  collection: ListName,
  identifier: string,
): ConfigurationResult {
  const configuration = content[collection].find((one) => one.identifier === identifier);
  const { name } = configuration as { name?: unknown };
  return {
    collection,
    identifier,
    name: typeof name === "string" ? name : (titleOf(configuration) ?? identifier),
    version: versions.get(identifier) ?? 1,
  };
}

/** The results for a content that is about to be published. */
export function toResults(
  request: Pick<HoldRequest, "content" | "live" | "selection" | "versions">,
  heldBack: HeldBack[],
): PublishResults {
  const { content, live, selection } = request;
  const held = new Set(heldBack.map(({ identifier }) => identifier));
  const asked = listNames.flatMap((collection) =>
    content[collection]
      .filter(({ identifier }) => isSelected(selection, collection, identifier))
      .filter(({ identifier }) => !held.has(identifier))
      .map((configuration) => {
        const { identifier } = configuration;
        const before = live?.[collection].find((one) => one.identifier === identifier);
        return {
          isUnchanged: before !== undefined && toCanonical(before) === toCanonical(configuration),
          result: toResult(request, collection, identifier),
        };
      }),
  );
  const listed = (isUnchanged: boolean): ConfigurationResult[] =>
    asked.filter((one) => one.isUnchanged === isUnchanged).map(({ result }) => result);
  return { published: listed(false), unchanged: listed(true), heldBack };
}
