import { type Activity as Entry, listActivity } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { readMembers, toMemberName } from "../../data/projects/members.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toDay, toHour, toListParts } from "../../browser/format.ts";
import { parameters, setParameters, toHref } from "../../browser/router.ts";
import { getOwnZone } from "../../browser/time-zones.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Choice } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { activityWords } from "../../words/activity/words.ts";
import { type Part, toActorText, toClause } from "./clauses.ts";
import { type ActivityRun, groupActivity, listActs } from "./runs.ts";

const LIMIT = 100;
type Kind = keyof typeof activityWords.value.kinds;

/** The activity of a project, as sentences by day and by runs of the same person. */
export default function Activity({ projectId = "" }: { projectId?: string }) {
  const texts = activityWords.value;
  const kind = toKind(parameters.value.get("kind"));
  const person = parameters.value.get("person") ?? "";
  const keys = [projectId, kind, person];
  const cursors = useCursor(keys);
  const { cursor } = cursors;
  const loaded = useLoad(() => {
    const query = {
      projectId,
      limit: LIMIT,
      ...(cursor === undefined ? {} : { cursor }),
      ...(kind === undefined ? {} : { kind }),
      ...(person === "" ? {} : { person }),
    };
    return send(listActivity, { query });
  }, [...keys, cursor]);
  return (
    <Page title={texts.title} lead={`${texts.lead} ${texts.zone(getOwnZone())}`} isNarrow>
      <Filters projectId={projectId} kind={kind ?? ""} person={person} />
      <LoadView of={loaded} lines={8}>
        {({ items, links }) =>
          items.length === 0 ? (
            <Empty
              icon="clock"
              title={texts.emptyTitle}
              text={kind === undefined && person === "" ? texts.empty : texts.noResults}
            />
          ) : (
            <>
              <Story projectId={projectId} items={items} />
              <CursorPager cursors={cursors} next={links.next} />
            </>
          )
        }
      </LoadView>
    </Page>
  );
}

function toKind(text: string | null): Kind | undefined {
  const kinds = Object.keys(activityWords.value.kinds) as Kind[];
  return kinds.find((one) => one === text);
}

interface FiltersProps {
  projectId: string;
  kind: string;
  person: string;
}

function Filters({ projectId, kind, person }: FiltersProps) {
  const texts = activityWords.value;
  const members = useLoad(
    () => readMembers({ collection: "projects", id: projectId }),
    [projectId],
  );
  const all = members.state === "ready" ? members.value : [];
  return (
    <div class="activity-filters">
      <Choice
        name="kind"
        label={texts.kind}
        value={kind}
        onChange={(next) => setParameters({ kind: next })}
        options={[["", texts.all], ...Object.entries(texts.kinds)]}
      />
      <Choice
        name="person"
        label={texts.person}
        value={person}
        onChange={(next) => setParameters({ person: next })}
        options={[
          ["", texts.everybody],
          ...all.map((one) => [one.userId, toMemberName(one)] as const),
        ]}
      />
    </div>
  );
}

/** The sentences of a page, by day. */
function Story({ projectId, items }: { projectId: string; items: readonly Entry[] }) {
  return (
    <div class="story">
      {groupActivity(items).map(({ at, runs }) => (
        <section key={at}>
          <h2>{toDayName(at)}</h2>
          <ol>
            {runs.map((run) => (
              <Sentence key={run.id} projectId={projectId} run={run} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** The day, relative if it is today or yesterday. */
function toDayName(at: string): string {
  const { today, yesterday } = activityWords.value;
  const before = new Date();
  if (new Date(at).toDateString() === before.toDateString()) return today;
  before.setDate(before.getDate() - 1);
  return new Date(at).toDateString() === before.toDateString() ? yesterday : toDay(at);
}

function Sentence({ projectId, run: { entries } }: { projectId: string; run: ActivityRun }) {
  const texts = activityWords.value;
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return null;
  const acts = listActs(entries);
  const asked = acts.reduce((sum, { latest }) => sum + Number(latest.details["asksAgain"] ?? 0), 0);
  const [from, to] = [toHour(first.at), toHour(last.at)];
  return (
    <li>
      <span class="soft">
        <time dateTime={first.at}>{from}</time>
        {to !== from && (
          <>
            –<time dateTime={last.at}>{to}</time>
          </>
        )}
      </span>
      <p>
        <strong>{toActorText(first)}</strong>{" "}
        {toListParts(acts).map((part, index) =>
          typeof part === "string" ? (
            part
          ) : (
            <Clause key={index} parts={toClause(projectId, part)} />
          ),
        )}
        {asked > 0 && `; ${texts.asksAgain(asked)}`}.
      </p>
    </li>
  );
}

function Clause({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map((part, index) => {
        if (typeof part === "string") return part;
        if (part.to === undefined) return <span key={index}>{part.text}</span>;
        return (
          <a key={index} href={toHref(part.to)}>
            {part.text}
          </a>
        );
      })}
    </>
  );
}
