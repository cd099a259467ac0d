import type { Change } from "@avow/client/operations";

/** The changes of one item, or of the configuration itself. */
export interface ItemChanges {
  key: string;
  item: Change["item"];
  changes: Change[];
}

/** The changes of one configuration, or of a section of the project. */
export interface GroupedChanges {
  key: string;
  configuration: Change["configuration"];
  /** The section, if it is no configuration. */
  section: Section | undefined;
  items: ItemChanges[];
  count: number;
  /** The number of changes that need re-consent. */
  asked: number;
}

type Section = "design" | "controller" | "partners" | "project";

/** Groups changes by configuration and item, those with re-consent first. */
export function groupChanges(changes: readonly Change[]): GroupedChanges[] {
  const sorted = changes.toSorted((a, b) => ranks[a.asks] - ranks[b.asks]);
  return [...Map.groupBy(sorted, toGroupKey)].map(([key, own]) => ({
    key,
    configuration: own[0]?.configuration,
    section: own[0] && toSection(own[0]),
    items: toItems(own),
    count: own.length,
    asked: own.filter(({ asks }) => asks === "again").length,
  }));
}

const ranks: Record<Change["asks"], number> = { again: 0, first: 1, nobody: 2 };

function toItems(changes: readonly Change[]): ItemChanges[] {
  const items = [...Map.groupBy(changes, toItemKey)].map(([key, own]) => ({
    key,
    item: own[0]?.item,
    changes: own,
  }));
  // Changes of the configuration itself come before its items.
  return items.toSorted((a, b) => Number(a.item !== undefined) - Number(b.item !== undefined));
}

function toGroupKey(change: Change): string {
  return change.configuration?.identifier ?? toSection(change) ?? "";
}

function toSection({ configuration, class: name, item, path }: Change): Section | undefined {
  if (configuration) return undefined;
  if (item?.type === "partner" || path.startsWith("/widget/tcf")) return "partners";
  if (name === "new-controller" || path === "/client/DPO") return "controller";
  return name === "design" ? "design" : "project";
}

/** Changes of one vendor or step are grouped, wherever they occur; other items by their position. */
function toItemKey({ item, path }: Change): string {
  if (!item) return "";
  if (item.id !== undefined) return `${item.type} ${item.id}`;
  return `${item.type} ${item.name} ${path.split("/").slice(0, 4).join("/")}`;
}
