import { type Notification, listNotifications } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { markRead, readUnread } from "../../data/notifications.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { parameters, setParameters, toHref } from "../../browser/router.ts";
import { language } from "../../words/words.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Choice } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Badge, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { notificationWords } from "../../words/notifications/words.ts";

const LIMIT = 50;

/** The user's notifications, newest first. */
export default function Notifications() {
  const texts = notificationWords.value;
  const isUnread = parameters.value.get("show") === "unread";
  const cursors = useCursor([isUnread]);
  const { cursor } = cursors;
  const loaded = useLoad(async () => {
    void readUnread();
    const query = {
      limit: LIMIT,
      ...(cursor === undefined ? {} : { cursor }),
      ...(isUnread ? { unread: true } : {}),
    };
    return send(listNotifications, { query });
  }, [isUnread, language.value, cursor]);
  const mark = async (ids?: readonly string[]): Promise<void> => {
    try {
      await markRead(ids);
      loaded.reload();
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      isNarrow
      actions={
        <button type="button" class="button" onClick={() => void mark()}>
          {texts.markAll}
        </button>
      }
    >
      <div class="activity-filters">
        <Choice
          name="show"
          label={texts.show}
          value={isUnread ? "unread" : ""}
          onChange={(show) => setParameters({ show })}
          options={[
            ["", texts.all],
            ["unread", texts.onlyUnread],
          ]}
        />
      </div>
      <LoadView of={loaded} lines={8}>
        {({ items, links }) => (
          <div class="story">
            {items.length === 0 ? (
              <Empty icon="bell" title={texts.emptyTitle} text={texts.empty} />
            ) : (
              <ul class="notices">
                {items.map((item) => (
                  <Item key={item.id} item={item} onRead={() => mark([item.id])} />
                ))}
              </ul>
            )}
            <CursorPager cursors={cursors} next={links.next} />
          </div>
        )}
      </LoadView>
      <p>
        <a href={toHref("/account")}>{texts.settings}</a>
      </p>
    </Page>
  );
}

function Item({ item, onRead }: { item: Notification; onRead: () => Promise<void> }) {
  const texts = notificationWords.value;
  const isUnread = item.readAt === undefined;
  const { pathname } = new URL(item.links.screen);
  return (
    <li class={isUnread ? "new" : undefined}>
      <div>
        <a href={pathname} onClick={() => void (isUnread && onRead())}>
          {item.text}
        </a>{" "}
        {isUnread && <Badge tone="warn">{texts.unread}</Badge>}
        <span class="soft kind">
          <Ago at={item.at} />
        </span>
      </div>
      {isUnread && (
        <button type="button" class="button small" onClick={() => void onRead()}>
          {texts.mark}
        </button>
      )}
    </li>
  );
}
