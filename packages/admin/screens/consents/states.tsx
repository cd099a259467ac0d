import type { ConsentState } from "@avow/client/operations";
import { toInstant, toNumber } from "../../browser/format.ts";
import { Badge } from "../../ui/parts.tsx";
import { consentWords } from "../../words/consents/words.ts";

/** Above this number, the vendors of a configuration are collapsed behind counts per status. */
const OPEN_MAX = 12;
const tones: Partial<Record<ConsentState["status"], "good" | "bad" | "warn">> = {
  accepted: "good",
  refused: "bad",
  withdrawn: "bad",
  expired: "warn",
  superseded: "warn",
};

/** The statuses that are defined below the tables. */
const definedStatuses = ["refused", "withdrawn", "superseded"] as const;

interface StatesProps {
  items: readonly ConsentState[];
  /** The names of configurations, once they are loaded. */
  nameOf: ((identifier: string) => string) | undefined;
}

/** A configuration with the states of its items. */
interface Group {
  title: string;
  collection: string;
  items: readonly ConsentState[];
}

/** The consent state by configuration. Configurations that were never asked are collapsed. */
export function States({ items, nameOf }: StatesProps) {
  const texts = consentWords.value;
  const groups = toGroups(items, nameOf);
  const defined = definedStatuses.filter((one) => items.some(({ status }) => status === one));
  const [answered, never] = [groups.filter(isAnswered), groups.filter((one) => !isAnswered(one))];
  return (
    <div class="states">
      {answered.length === 0 && <p class="soft">{texts.person.never}</p>}
      {answered.map((group) => (
        <GroupOf key={`${group.collection} ${group.title}`} group={group} />
      ))}
      {defined.length > 0 && (
        <dl class="hint">
          {defined.map((status) => (
            <div key={status}>
              <dt>{texts.statuses[status]}</dt> <dd>{texts.statusHints[status]}</dd>
            </div>
          ))}
        </dl>
      )}
      {never.length > 0 && (
        <details>
          <summary>{texts.person.neverAsked(toNumber(never.length))}</summary>
          <ul class="never">
            {never.map((group) => (
              <li key={`${group.collection} ${group.title}`}>
                <span>{group.title}</span> <span class="soft">{toKind(group)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function isAnswered({ items }: Group): boolean {
  return items.some(({ since }) => since !== null);
}

function toGroups(items: readonly ConsentState[], nameOf: StatesProps["nameOf"]): Group[] {
  const byConfiguration = Map.groupBy(items, ({ identifier }) => toConfiguration(identifier));
  return [...byConfiguration].map(([identifier, own]) => {
    const collection = own[0]?.collection ?? "";
    // A form is its own only item.
    const box = own.find((one) => one.identifier === identifier);
    const title = nameOf?.(identifier) ?? box?.name ?? toKind({ collection });
    return { title, collection, items: own };
  });
}

/** The configuration of `{configurationId}/{vendor}`. */
function toConfiguration(identifier: string): string {
  return identifier.split("/", 1)[0] ?? identifier;
}

function toKind({ collection }: Pick<Group, "collection">): string {
  const { collections } = consentWords.value;
  return collections[collection as keyof typeof collections] ?? collection;
}

function GroupOf({ group }: { group: Group }) {
  const { person } = consentWords.value;
  const { title, items } = group;
  return (
    <section>
      <h3>
        {title} <span class="soft">{toKind(group)}</span>
      </h3>
      {items.length > OPEN_MAX ? (
        <details>
          <summary>
            {person.all(toNumber(items.length))} <Counts items={items} />
          </summary>
          <Table group={group} />
        </details>
      ) : (
        <Table group={group} />
      )}
    </section>
  );
}

/** The number of items per status. */
function Counts({ items }: Pick<Group, "items">) {
  const { statuses } = consentWords.value;
  return (
    <span class="chips">
      {[...Map.groupBy(items, ({ status }) => status)].map(([status, some]) => (
        <Badge key={status} tone={tones[status] ?? "plain"}>
          {toNumber(some.length)} {statuses[status]}
        </Badge>
      ))}
    </span>
  );
}

function Table({ group: { title, items } }: { group: Group }) {
  const texts = consentWords.value;
  const sorted = items.toSorted((a, b) => Number(a.since === null) - Number(b.since === null));
  return (
    <table class="stacked plain-table" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{texts.what}</th>
          <th scope="col">{texts.answer}</th>
          <th scope="col">{texts.since}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ identifier, name, status, since, expiresAt }) => (
          <tr key={identifier}>
            <th scope="row">{identifier.includes("/") ? name : texts.person.whole}</th>
            <td data-label={texts.answer}>
              <Badge tone={tones[status] ?? "plain"}>{texts.statuses[status]}</Badge>
            </td>
            <td data-label={texts.since}>
              <div>
                {since === null ? "–" : <time dateTime={since}>{toInstant(since)}</time>}
                {expiresAt !== undefined && (
                  <span class="soft kind">
                    {texts.person.until} {toInstant(expiresAt)}
                  </span>
                )}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
