import type { Change } from "@avow/client/operations";

/** Changes of one item, or with no item of the configuration itself. */
export interface ItemChanges {
  key: string;
  item: Change["item"];
  changes: Change[];
}

/** Changes of one configuration, or of a part of the project. */
export interface GroupedChanges {
  key: string;
  configuration: Change["configuration"];
  /** What it is, where it is no configuration. */
  section: Section | undefined;
  items: ItemChanges[];
  count: number;
  /** How many are asked again of whoever has accepted them. */
  asked: number;
}

type Section = "design" | "controller" | "partners" | "project";

/** Changes by configuration and by item; those that ask people again first, otherwise in their order. */
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
  // What is of the configuration itself stands under its name, before its items.
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

/** What is told of one vendor or step belongs together, wherever it stands; other items are where they are. */
function toItemKey({ item, path }: Change): string {
  if (!item) return "";
  if (item.id !== undefined) return `${item.type} ${item.id}`;
  return `${item.type} ${item.name} ${path.split("/").slice(0, 4).join("/")}`;
}
