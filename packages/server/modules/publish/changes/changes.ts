import type { Operation } from "rfc6902";
import { diffBodies } from "../../vault/schemas/diff.ts";
import type { Content } from "@avow/contract/published";
import { wordsOf } from "../content/words/words.ts";
import {
  type AskKind,
  type ChangeClass,
  type ChangeKind,
  type ChangeValue,
  type ChangedConfiguration,
  type ChangedItem,
  type DetectedChange,
  changeClasses,
} from "./change.ts";
import { compareContents } from "./configurations.ts";
import { cut } from "./excerpts.ts";
import { classifyOfferChanges } from "./offers.ts";
import { describeChange } from "./sentences.ts";
import { toValues } from "./values.ts";

/** One change between two versions, with its description. */
export interface Change {
  class: ChangeClass;
  kind: ChangeKind;
  /** JSON pointer into the later version, or into the earlier version for a removal. */
  path: string;
  message: string;
  /** The values in the message, in its order. */
  about: string[];
  asks: AskKind;
  /** Missing for a change of the project itself. */
  configuration?: ChangedConfiguration;
  item?: ChangedItem;
  /** Path of the field, such as `colors.main`. */
  field?: string;
  /** For a text that the widget brings by default: that default, which is the field's label in the editor. */
  label?: string;
  before?: ChangeValue;
  after?: ChangeValue;
}

const CHANGES_MAX = 500;
const NAME_LENGTH_MAX = 100;

/** The changes between two contents, apart from their time, version, job and widget. */
export interface Changes {
  /** Changes that ask for more first; at most 500. */
  changes: Change[];
  /** Number of all changes. */
  count: number;
  /** The classes of all changes, each once. */
  classes: ChangeClass[];
  /** The changes as RFC 6902 operations; at most 500. */
  operations: Operation[];
  /** There are more changes or more operations. */
  truncated: boolean;
}

/** Members that differ at each publication: no changes of the project. */
const imprint = new Set(["publishedAt", "version", "jobId", "widget"]);

/**
 * Lists the changes from `before` to `after`, and `more`, classified by their meaning for people who have
 * answered. Takes linear time apart from the order of lists; only texts that are returned are compared and cut.
 */
export function listChanges(
  before: Content | undefined,
  after: Content,
  more: readonly DetectedChange[] = [],
): Changes {
  const [from, to] = [before ?? withoutConfigurations(after), after].map(withoutImprint);
  const operations = diffBodies(from, to);
  const leaves = compareContents(before, after);
  const offerChanges = classifyOfferChanges(before, after, leaves);
  const found = [
    ...offerChanges.changes,
    ...more,
    ...leaves.filter((leaf) => !offerChanges.covered.has(leaf)),
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

/** A content without configurations, to compare the first version with. */
function withoutConfigurations(content: Content): Content {
  return { ...content, cookies: [], processings: [], contracts: [], contractsV2: [] };
}

function toChange(one: DetectedChange): Change {
  const found = withShortNames(one);
  const { class: kind, path, asks, configuration, item, keys } = found;
  const values = toValues(found);
  const label = findDefaultText(found);
  return {
    class: kind,
    kind: found.kind,
    path,
    ...describeChange(label === undefined ? found : { ...found, keys: [label] }, values),
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

function withShortNames(found: DetectedChange): DetectedChange {
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

/** The widget's default for a text, in the configuration's language. */
function findDefaultText({ configuration, keys }: DetectedChange): string | undefined {
  const [list, name] = keys.slice(-2);
  if (!configuration || list !== "strings" || name === undefined) return undefined;
  const { boxes, ...ofBanners } = wordsOf(configuration.language ?? "en");
  const groups: readonly Readonly<Record<string, string>>[] =
    configuration.collection === "cookies" ? Object.values(ofBanners) : [boxes];
  return groups.find((one) => name in one)?.[name];
}
