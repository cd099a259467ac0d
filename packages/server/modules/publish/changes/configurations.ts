import type { JsonObject } from "@avow/contract/json";
import {
  type Configuration,
  type Content,
  type ListName,
  listNames,
  stepsOf,
} from "@avow/contract/published";
import {
  type Comparison,
  type Leaf,
  compareFields,
  put,
  toChangedConfiguration,
} from "./comparing.ts";
import { identify, matchItems } from "./matching.ts";
import { compareSteps } from "./steps.ts";

/** Fields that the service sets. */
const serviceFields = ["identifier", "projectId", "assumed"];
/** Members that differ at each publication or are no part of the project's documents. */
const imprint = ["publishedAt", "version", "jobId", "widget", "projectId", "shadowRoot"];

/**
 * Compares two contents item by item: configurations by their identifiers, steps and vendors by their
 * names. `classifyOfferChanges` adds the meaning of changed offers. Added and removed configurations are
 * listed here only if they contain no offers.
 */
export function compareContents(before: Content | undefined, after: Content): Leaf[] {
  const leaves: Leaf[] = [];
  const at: Comparison = { path: "", earlier: "", owner: "", root: "", keys: [], leaves };
  if (before) compareFields(before, after, at, [...imprint, ...listNames]);
  for (const list of listNames) compareConfigurations(list, before?.[list] ?? [], after[list], at);
  return leaves;
}

/** A configuration without the fields that stand in for missing ones. */
function toOwn(configuration: Configuration): JsonObject {
  const assumed: readonly string[] = configuration.assumed ?? [];
  return Object.fromEntries(
    Object.entries(configuration).filter(([name]) => !assumed.includes(name)),
  );
}

function compareConfigurations(
  list: ListName,
  before: readonly Configuration[],
  after: readonly Configuration[],
  at: Comparison,
): void {
  const { pairs, removed, added } = matchItems(before, after, identify);
  const atOne = (body: Configuration, from: number, to: number): Comparison => ({
    ...at,
    path: `/${list}/${to}`,
    earlier: `/${list}/${from}`,
    owner: `${body.identifier} `,
    configuration: toChangedConfiguration(list, body),
  });
  for (const [from, to] of pairs) {
    const [was, is] = [before[from], after[to]];
    if (!was || !is) continue;
    const here = atOne(is, from, to);
    compareFields(
      toOwn(was),
      toOwn(is),
      here,
      list === "cookies" ? [...serviceFields, "steps"] : serviceFields,
    );
    if (list === "cookies") compareSteps(stepsOf(was), stepsOf(is), here);
  }
  // These contain no offers, so `classifyOfferChanges` does not list them.
  if (list !== "contractsV2") return;
  for (const to of added) {
    const body = after[to];
    if (body) put({ kind: "new" }, atOne(body, to, to), "new-configuration");
  }
  for (const from of removed) {
    const body = before[from];
    if (body) put({ kind: "removed" }, atOne(body, from, from), "removed-configuration");
  }
}
