import { Fault } from "../../../platform/errors.ts";
import type { Plan } from "../../billing/plans.ts";
import {
  type Configuration,
  type Content,
  listNames,
  parseContent,
} from "@avow/contract/published";
import { toCanonical, toFiles } from "./content.ts";
import { toLabel } from "./vendors.ts";

const PARTS_SHOWN = 5;
const LAYOUTS_SHOWN = 10;

/**
 * Checks a content against the limits of a plan: the served file's size, the layouts and the number of
 * configurations (specification, States, step 2; wire section 3). Returns a summary.
 * @throws Fault impossible, with all exceeded limits and what to do
 */
export function assertWithinLimits(text: string, plan: Plan): string {
  const content = parseContent(text);
  const size = toFiles(text).served.length;
  const over = listOverLimits(content, plan, size);
  if (over.length > 0) {
    over.push("Change the project or its plan, and publish again. The live version stays live.");
    throw new Fault("impossible", over.join(" "));
  }
  const limit = plan.fileBytesMax === null ? "no limit" : `at most ${toBytes(plan.fileBytesMax)}`;
  return `${toBytes(size)}; plan ${plan.title}: ${limit}.`;
}

/** One sentence for each limit of a plan that a content exceeds; `size` is of the served file, in bytes. */
export function listOverLimits(
  content: Content,
  plan: Plan,
  size: number = toFiles(toCanonical(content)).served.length,
): string[] {
  return [
    ...toSizeFault(content, size, plan),
    ...toLayoutFault(content, plan),
    ...toCountFault(content, plan),
  ];
}

function toSizeFault(content: Content, size: number, plan: Plan): string[] {
  if (plan.fileBytesMax === null || size <= plan.fileBytesMax) return [];
  const parts = listParts(content).slice(0, PARTS_SHOWN).join(", ");
  const largest = parts === "" ? "" : ` Its largest parts: ${parts}.`;
  return [
    `The file has ${toBytes(size)}, and the plan ${plan.title} allows ${toBytes(plan.fileBytesMax)}.${largest}`,
  ];
}

/** Configurations and the project's design with their sizes, the largest first. */
function listParts(content: Content): string[] {
  const configurations = toConfigurations(content).map((configuration) => ({
    label: `the configuration ${toLabel(configuration, configuration.identifier)}`,
    size: sizeOf(configuration),
  }));
  const design = { label: "the project's design", size: sizeOf(content.client) };
  return [...configurations, design]
    .toSorted((a, b) => b.size - a.size)
    .map(({ label, size }) => `${label} ${toBytes(size)}`);
}

function toLayoutFault(content: Content, plan: Plan): string[] {
  const steps = content.cookies.flatMap((configuration) => {
    const { steps: listed = [] } = configuration;
    return listed.map((step) => ({ configuration, step }));
  });
  const paid = steps
    .filter(({ step }) => !plan.layouts.includes(step.layout))
    .map(
      ({ configuration, step }) =>
        `${step.layout} (step ${step.name} of ${toLabel(configuration, configuration.identifier)})`,
    );
  if (paid.length === 0) return [];
  const more = paid.length > LAYOUTS_SHOWN ? ` and ${paid.length - LAYOUTS_SHOWN} more` : "";
  const first = paid.slice(0, LAYOUTS_SHOWN).join(", ");
  return [`The plan ${plan.title} does not include these layouts: ${first}${more}.`];
}

function toCountFault(content: Content, plan: Plan): string[] {
  const count = toConfigurations(content).length;
  if (plan.configurationsMax === null || count <= plan.configurationsMax) return [];
  return [
    `The project has ${count} configurations, and the plan ${plan.title} allows ${plan.configurationsMax}.`,
  ];
}

function toConfigurations(content: Content): Configuration[] {
  return listNames.flatMap((list): readonly Configuration[] => content[list]);
}

function sizeOf(value: object): number {
  return Buffer.byteLength(toCanonical(value));
}

function toBytes(count: number): string {
  return `${count.toLocaleString("en-US")} bytes`;
}
