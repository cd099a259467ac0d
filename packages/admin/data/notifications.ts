import { signal } from "@preact/signals";
import { countNotifications, markNotificationsRead } from "@avow/client/operations";
import { asProblem } from "../api/problem.ts";
import { send } from "../api/send.ts";

/** The number of the user's unread notifications; 99 stands for more. */
export const unread = signal(0);

/** Reads the number again. The bell keeps its last number while the service does not respond. */
export async function readUnread(): Promise<void> {
  try {
    const counted = await send(countNotifications, undefined, { skipsRefusalHook: true });
    unread.value = counted.unread;
  } catch (error) {
    // Screens report that the service does not respond, or that the session has ended; defects are logged.
    asProblem(error);
  }
}

/** Marks these notifications as read, or all. @throws Problem */
export async function markRead(ids?: readonly string[]): Promise<void> {
  const body = ids === undefined ? {} : { ids: [...ids] };
  unread.value = (await send(markNotificationsRead, { body })).unread;
}
