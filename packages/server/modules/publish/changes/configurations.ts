import {
  type Configuration,
  type Content,
  type ListName,
  listNames,
  stepsOf,
} from "@avow/contract/published";
import {
  type Comparing,
  type Leaf,
  compareFields,
  put,
  toChangedConfiguration,
} from "./comparing.ts";
import { identify, matchItems } from "./matching.ts";
import { compareSteps } from "./steps.ts";

/** Which configuration one is, and what no person wrote. */
const given = ["identifier", "projectId"];
/** What says when, as which version, by which job, and with which widget: no change of the project. */
const imprint = ["publishedAt", "version", "jobId", "widget", "projectId", "shadowRoot"];

/**
 * What is another in the later content, item by item: configurations by their identifiers, steps and
 * vendors by their names. What a whole configuration or vendor means for visitors is weighed elsewhere
 * (`listOfferChanges`); of those that come and go only what nobody is asked for is told here.
 */
export function compareContents(before: Content | undefined, after: Content): Leaf[] {
  const leaves: Leaf[] = [];
  const at: Comparing = { path: "", earlier: "", owner: "", root: "", keys: [], leaves };
  if (before) compareFields(before, after, at, [...imprint, ...listNames]);
  for (const list of listNames) compareConfigurations(list, before?.[list] ?? [], after[list], at);
  return leaves;
}

function compareConfigurations(
  list: ListName,
  before: readonly Configuration[],
  after: readonly Configuration[],
  at: Comparing,
): void {
  const { pairs, removed, added } = matchItems(before, after, identify);
  const atOne = (body: Configuration, from: number, to: number): Comparing => ({
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
    compareFields(was, is, here, list === "cookies" ? [...given, "steps"] : given);
    if (list === "cookies") compareSteps(stepsOf(was), stepsOf(is), here);
  }
  // Nobody is asked for these, so that nothing else tells of them.
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
