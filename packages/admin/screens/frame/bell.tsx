import { useEffect } from "preact/hooks";
import { readUnread, unread } from "../../data/notifications.ts";
import { path, toHref } from "../../browser/router.ts";
import { Icon } from "../../ui/icons.tsx";
import { words } from "../../words/words.ts";

const INTERVAL_MS = 60_000;
/** The largest number that the service counts. */
const UNREAD_MAX = 99;

/** Reads the number of unread notifications every minute while the page is visible. */
export function useUnread(): void {
  useEffect(() => {
    const read = (): void => {
      if (!document.hidden) void readUnread();
    };
    read();
    const timer = setInterval(read, INTERVAL_MS);
    document.addEventListener("visibilitychange", read);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, []);
}

/** The link to the notifications, with the number of unread ones. */
export function Bell() {
  const { app } = words.value;
  const count = unread.value;
  const shown = count >= UNREAD_MAX ? `${UNREAD_MAX}+` : String(count);
  return (
    <a
      class="bell"
      href={toHref("/notifications")}
      aria-current={path.value === "/notifications" ? "page" : undefined}
    >
      <Icon name="bell" />
      <span class="hidden">
        {app.notifications}
        {count > 0 && `, ${app.unread(shown)}`}
      </span>
      {count > 0 && (
        <span class="bell-count" aria-hidden="true">
          {shown}
        </span>
      )}
    </a>
  );
}
