import { type ListName, listNames } from "@avow/contract/published";
import { Fault } from "../../../platform/errors.ts";
import type { Finding } from "../check/rules/finding.ts";

/** The parts of a project that can be published by themselves (wire section 9). */
export const services = [...listNames, "tcf", "dpo", "project"] as const;
export type Service = (typeof services)[number];

/** The part of a project that a publish request names; what it does not name stays at its live version. */
export interface Selection extends Partial<Record<ListName, string[]>> {
  services: Service[];
}

/**
 * The selection of a request, or undefined without one: then everything is published. A list of ids also selects its
 * service; an empty list selects nothing.
 * @throws Fault invalid for a selection of nothing
 */
export function toSelection(
  named: { services?: readonly Service[] } & Partial<Record<ListName, readonly string[]>>,
): Selection | undefined {
  const ids = listNames.flatMap((list) => {
    const unique = [...new Set(named[list])].toSorted();
    return unique.length > 0 ? [[list, unique] as const] : [];
  });
  const selected = new Set<Service>([...(named.services ?? []), ...ids.map(([list]) => list)]);
  if (selected.size === 0) {
    if (["services" as const, ...listNames].every((name) => named[name] === undefined))
      return undefined;
    const message = "must name something to publish; without a selection, everything is published";
    throw new Fault("invalid", `/services: ${message}`, {
      faults: [{ path: "/services", message }],
    });
  }
  return {
    services: services.filter((service) => selected.has(service)),
    ...Object.fromEntries(ids),
  };
}

/** Whether a selection includes a configuration; without one, everything is included. */
export function isSelected(
  selection: Selection | null,
  list: ListName,
  identifier: string,
): boolean {
  if (!selection) return true;
  if (!selection.services.includes(list)) return false;
  return selection[list]?.includes(identifier) ?? true;
}

/** A configuration of a publish job, with the version of its document in the vault. */
export interface ConfigurationResult {
  collection: ListName;
  identifier: string;
  name: string;
  version: number;
}

/** A configuration that stays at its live version, or unpublished, and the findings that hold it back. */
export interface HeldBack extends ConfigurationResult {
  /** The first finding, and the number of further ones. */
  reason: string;
  /** With their paths inside the configuration. */
  findings: Finding[];
}

/** The configurations that a job was asked for, each in one of the lists (wire section 9). */
export interface PublishResults {
  published: ConfigurationResult[];
  unchanged: ConfigurationResult[];
  heldBack: HeldBack[];
}
