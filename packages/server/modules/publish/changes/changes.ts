import type { Operation } from "rfc6902";
import { diffBodies } from "../../vault/schemas/diff.ts";
import type { Content } from "@avow/contract/published";
import { wordsOf } from "../content/words.ts";
import {
  type Asking,
  type ChangeClass,
  type ChangeKind,
  type ChangeValue,
  type ChangedConfiguration,
  type ChangedItem,
  type Found,
  changeClasses,
} from "./change.ts";
import { compareContents } from "./configurations.ts";
import { cut } from "./excerpts.ts";
import { weighChanges } from "./offers.ts";
import { sayChange } from "./saying.ts";
import { toValues } from "./values.ts";

/** One change from one version to another, as it is told. */
export interface Change {
  class: ChangeClass;
  kind: ChangeKind;
  /** Where, as a JSON pointer into the later version; of what was removed, into the earlier one. */
  path: string;
  message: string;
  /** What the message names, in its order. */
  about: string[];
  asks: Asking;
  /** Missing for what is the project's. */
  configuration?: ChangedConfiguration;
  item?: ChangedItem;
  /** The field's name, after those that it is in and a full stop. */
  field?: string;
  /** What the widget says by itself, where that is said otherwise now: what the field is called in the editor. */
  label?: string;
  before?: ChangeValue;
  after?: ChangeValue;
}

const CHANGES_MAX = 500;
const NAME_LENGTH_MAX = 100;

/** What changed from one content to another, when and by which job aside. */
export interface Changes {
  /** What asks for more first; at most 500. */
  changes: Change[];
  /** How many there are, also beyond those. */
  count: number;
  /** The classes of all, each once. */
  classes: ChangeClass[];
  /** As RFC 6902, at most 500. */
  operations: Operation[];
  /** There are more of either. */
  truncated: boolean;
}

/** What says when, as which version, by which job, and with which widget: no change of the project. */
const imprint = new Set(["publishedAt", "version", "jobId", "widget"]);

/**
 * What changed from `before` to `after`, and `more`, classed by what it means for who has answered. Linear
 * in the contents, but for the order of lists; texts are cut and compared for those alone that are told.
 */
export function listChanges(
  before: Content | undefined,
  after: Content,
  more: readonly Found[] = [],
): Changes {
  const [from, to] = [before ?? emptied(after), after].map(withoutImprint);
  const operations = diffBodies(from, to);
  const leaves = compareContents(before, after);
  const weighed = weighChanges(before, after, leaves);
  const found = [
    ...weighed.changes,
    ...more,
    ...leaves.filter((leaf) => !weighed.told.has(leaf)),
  ].toSorted((a, b) => ranks[a.class] - ranks[b.class]);
  return {
    changes: found.slice(0, CHANGES_MAX).map(toChange),
    count: found.length,
    classes: [...new Set(found.map((one) => one.class))],
    operations: operations.slice(0, CHANGES_MAX),
    truncated: Math.max(found.length, operations.length) > CHANGES_MAX,
  };
}

const ranks = Object.fromEntries(changeClasses.map((name, rank) => [name, rank])) as Record<
  ChangeClass,
  number
>;

function withoutImprint(content: Content): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => !imprint.has(name)));
}

/** A content without a configuration, to compare the first one with. */
function emptied(content: Content): Content {
  return { ...content, cookies: [], processings: [], contracts: [], contractsV2: [] };
}

function toChange(one: Found): Change {
  const found = withShortNames(one);
  const { class: kind, path, asks, configuration, item, keys } = found;
  const values = toValues(found);
  const label = findOwnWords(found);
  return {
    class: kind,
    kind: found.kind,
    path,
    ...sayChange(label === undefined ? found : { ...found, keys: [label] }, values),
    asks,
    ...(configuration && { configuration }),
    ...(item && { item }),
    ...(keys.length > 0 && { field: keys.join(".") }),
    ...(label !== undefined && { label }),
    ...values,
  };
}

function short(name: string): string {
  return cut(name, NAME_LENGTH_MAX).text;
}

function withShortNames(found: Found): Found {
  const { configuration, item, meaning } = found;
  return {
    ...found,
    ...(configuration && { configuration: { ...configuration, name: short(configuration.name) } }),
    ...(item && {
      item: {
        ...item,
        name: short(item.name),
        ...(item.within !== undefined && { within: short(item.within) }),
      },
    }),
    ...(meaning && { meaning: { ...meaning, about: meaning.about.map(short) } }),
  };
}

/** What the editor calls one of the widget's own texts: that text, in the configuration's language. */
function findOwnWords({ configuration, keys }: Found): string | undefined {
  const [list, name] = keys.slice(-2);
  if (!configuration || list !== "strings" || name === undefined) return undefined;
  const { banner, boxes } = wordsOf(configuration.language ?? "en");
  return (configuration.collection === "cookies" ? banner : boxes)[name];
}
