import type { ComponentChildren } from "preact";
import type { Change, ChangeValue, PublicationDiff } from "@avow/client/operations";
import { toLanguageName } from "../../browser/format.ts";
import { Badge } from "../../ui/parts.tsx";
import { isLanguage, labelOf, sayKind, sayValue } from "../../words/changes/say.ts";
import { changesWords } from "../../words/changes/words.ts";
import { words } from "../../words/words.ts";
import { type GroupedChanges, type ItemChanges, groupChanges } from "./change-groups.ts";

/** Maximum numbers of visible entries; the rest is collapsed. */
const ITEMS_SHOWN = 8;
const FIELDS_SHOWN = 8;

interface ChangeListProps {
  diff: PublicationDiff;
  /** The number of groups that are open initially. */
  open: number;
  /** The text for no changes. */
  none?: string;
}

/** The changes between two versions, grouped by configuration and item, those with re-consent first. */
export function ChangeList({ diff, open, none }: ChangeListProps) {
  const texts = changesWords.value;
  const { changes, count, from } = diff;
  if (changes.length === 0) return <p class="soft">{none ?? words.value.project.changes.none}</p>;
  const groups = groupChanges(changes);
  return (
    <div class="changes">
      {groups.map((group, at) => (
        <Group key={group.key} group={group} isOpen={at < open} isFirst={from === null} />
      ))}
      {count > changes.length && <p class="soft">{texts.truncated(changes.length, count)}</p>}
    </div>
  );
}

interface GroupProps {
  group: GroupedChanges;
  isOpen: boolean;
  /** There is no previous version: everything is new. */
  isFirst: boolean;
}

function Group({
  group: { configuration, section, items, count, asked },
  isOpen,
  isFirst,
}: GroupProps) {
  const texts = changesWords.value;
  return (
    <details class="change-group" open={isOpen}>
      <summary>
        <span class="change-name">
          <strong>{configuration?.name ?? (section && texts.sections[section])}</strong>
          {configuration && <span class="soft">{sayConfiguration(configuration)}</span>}
        </span>
        {asked > 0 && <Badge tone="warn">{texts.askedCount(asked)}</Badge>}
        <span class="soft">{texts.count(count)}</span>
      </summary>
      <Folded class="change-items" max={ITEMS_SHOWN}>
        {items.map((one) => (
          <Item key={one.key} one={one} isFirst={isFirst} />
        ))}
      </Folded>
    </details>
  );
}

function sayConfiguration({
  collection,
  language,
}: NonNullable<GroupedChanges["configuration"]>): string {
  const kind = changesWords.value.collections[collection];
  if (language === undefined) return kind;
  return `${kind} · ${isLanguage(language) ? toLanguageName(language) : language}`;
}

function Item({ one: { item, changes }, isFirst }: { one: ItemChanges; isFirst: boolean }) {
  const texts = changesWords.value;
  const [own, fields] = [true, false].map((isWhole) =>
    changes.filter((change) => (labelOf(change) === undefined) === isWhole),
  );
  return (
    <li>
      {(item || (own?.length ?? 0) > 0) && (
        <p class="change-item">
          {item && (
            <span>
              <span class="soft">{texts.items[item.type]}</span> <strong>{item.name}</strong>
              {item.within !== undefined && <span class="soft"> {texts.within(item.within)}</span>}
            </span>
          )}
          {own?.map((change) => (
            <Marks key={`${change.class} ${change.kind}`} change={change} isFirst={isFirst} />
          ))}
        </p>
      )}
      {fields && fields.length > 0 && (
        <Folded class="change-fields" max={FIELDS_SHOWN}>
          {fields.map((change) => (
            <Field
              key={`${change.class} ${change.path} ${change.field}`}
              change={change}
              isFirst={isFirst}
            />
          ))}
        </Folded>
      )}
    </li>
  );
}

function Field({ change, isFirst }: { change: Change; isFirst: boolean }) {
  return (
    <li>
      <span class="change-label">{labelOf(change)}</span>
      <span class="change-values">
        <Values change={change} /> <Marks change={change} isFirst={isFirst} />
      </span>
    </li>
  );
}

/** The badges of a change, including re-consent. */
function Marks({ change, isFirst }: { change: Change; isFirst: boolean }) {
  const texts = changesWords.value;
  const kind = sayKind(change);
  return (
    <>
      {change.kind === "moved" && <span>{kind}</span>}
      {kind !== undefined && change.kind !== "moved" && <Badge>{kind}</Badge>}{" "}
      {change.asks === "again" && (
        <span title={texts.askedAgainHint}>
          <Badge tone="warn">{texts.askedAgain}</Badge>
        </span>
      )}{" "}
      {change.asks === "first" && !isFirst && <Badge tone="good">{texts.askedFirst}</Badge>}
    </>
  );
}

/** The values before and after; for lists, the removed and added entries. */
function Values({ change: { before, after, field } }: { change: Change }) {
  const texts = changesWords.value;
  const isList = (before ?? after)?.type === "list";
  if (!before && !after) return null;
  return (
    <>
      {before ? (
        <del>
          <span class="hidden">{isList ? texts.without : texts.before} </span>
          <Value value={before} field={field} />
        </del>
      ) : (
        !isList && <span class="soft">{texts.nothing}</span>
      )}
      {!isList && (
        <span class="arrow" aria-hidden="true">
          {" → "}
        </span>
      )}{" "}
      {after ? (
        <ins>
          <span class="hidden">{isList ? texts.with : texts.after} </span>
          <Value value={after} field={field} />
        </ins>
      ) : (
        !isList && <span class="soft">{texts.nothing}</span>
      )}
    </>
  );
}

function Value({ value, field }: { value: ChangeValue; field: string | undefined }) {
  const texts = changesWords.value;
  const text = sayValue(value, field);
  const { parts, count, type } = value;
  const [lead, own, tail] = parts ?? [];
  return (
    <>
      {type === "color" && (
        <span class="color-swatch" aria-hidden="true" style={{ background: value.text }} />
      )}
      {own && text === value.text ? (
        <>
          {lead}
          <mark>{own}</mark>
          {tail}
        </>
      ) : (
        text
      )}
      {count !== undefined && (
        <span class="soft"> ({type === "list" ? texts.entries(count) : texts.words(count)})</span>
      )}
    </>
  );
}

/** A list that collapses its end if it is long. */
function Folded({
  class: name,
  max,
  children,
}: {
  class: string;
  max: number;
  children: ComponentChildren[];
}) {
  // Collapsing a single entry would save no space.
  const shown = children.length <= max + 1 ? children.length : max;
  const rest = children.slice(shown);
  return (
    <>
      <ul class={name}>{children.slice(0, shown)}</ul>
      {rest.length > 0 && (
        <details class="change-more">
          <summary>{changesWords.value.more(rest.length)}</summary>
          <ul class={name}>{rest}</ul>
        </details>
      )}
    </>
  );
}
