import { useState } from "preact/hooks";
import {
  createComment,
  listComments,
  listContracts,
  listCookieConfigurations,
  listProcessings,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toHref } from "../../browser/router.ts";
import { type Role, mayWrite } from "../../data/projects/project.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Area, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Card } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { notify } from "../../ui/toast.tsx";
import { reviewWords } from "../../words/reviews/words.ts";
import { toName } from "../fields/titles.ts";
import { TEXT_LENGTH_MAX } from "./comment-text.tsx";
import { ThreadItem } from "./thread.tsx";

const LIMIT = 20;
const CONFIGURATIONS_MAX = 100;
const statuses = ["open", "resolved"] as const;
const lists = [
  ["cookies", listCookieConfigurations],
  ["processings", listProcessings],
  ["contracts", listContracts],
] as const;

interface ThreadsProps {
  projectId: string;
  roles: readonly Role[] | undefined;
}

/** All threads of a project, open or resolved, and the form to start one about the whole draft. */
export function Threads({ projectId, roles = [] }: ThreadsProps) {
  const { comments: texts } = reviewWords.value;
  const [status, setStatus] = useState<(typeof statuses)[number]>("open");
  const cursors = useCursor([projectId, status]);
  const { cursor } = cursors;
  const loaded = useLoad(async () => {
    const query = { status, limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
    return send(listComments, { path: { projectId }, query });
  }, [projectId, status, cursor]);
  const named = useLoad(() => readPlaces(projectId), [projectId]);
  const places = named.state === "ready" ? named.value : undefined;
  return (
    <Card title={texts.title}>
      <Tabs
        label={texts.status}
        tabs={statuses.map((one) => [one, texts.statuses[one]])}
        value={status}
        onChange={setStatus}
      >
        <LoadView of={loaded} lines={4}>
          {({ items, links }) =>
            items.length === 0 ? (
              <p class="soft">{status === "open" ? texts.none : texts.noneResolved}</p>
            ) : (
              <>
                <ul class="threads">
                  {items.map((thread) => (
                    <ThreadItem
                      key={thread.id}
                      thread={thread}
                      roles={roles}
                      about={toAbout(thread.about?.configurationId, places)}
                      onChange={loaded.reload}
                    />
                  ))}
                </ul>
                <CursorPager cursors={cursors} next={links.next} />
              </>
            )
          }
        </LoadView>
      </Tabs>
      {(mayWrite(roles) || roles.includes("viewer")) && status === "open" && (
        <Form
          submit={texts.add}
          isPlain
          isReset
          onSubmit={async ({ text = "" }) => {
            await send(createComment, { path: { projectId }, body: { text } });
            notify(texts.added);
            loaded.reload();
          }}
        >
          <Area name="text" label={texts.whole} maxLength={TEXT_LENGTH_MAX} isProse />
        </Form>
      )}
    </Card>
  );
}

type Places = ReadonlyMap<string, { text: string; href: string }>;

/** The names and addresses of a project's configurations, by id; the first 100 of each kind. */
async function readPlaces(projectId: string): Promise<Places> {
  const asked = { query: { perPage: CONFIGURATIONS_MAX }, filter: { projectId } };
  const found = await Promise.all(
    lists.map(async ([kind, list]) => {
      const documents = await send(list as typeof listCookieConfigurations, asked);
      return documents.map((document) => {
        const href = toHref(`/projects/${projectId}/${kind}/${document.id}`);
        return [document.id, { text: toName(document), href }] as const;
      });
    }),
  );
  return new Map(found.flat());
}

function toAbout(id: string | undefined, places: Places | undefined) {
  const { comments: texts } = reviewWords.value;
  if (id === undefined) return { text: texts.whole, href: undefined };
  return places && (places.get(id) ?? { text: texts.elsewhere, href: undefined });
}
