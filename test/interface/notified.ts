import assert from "node:assert/strict";
import { sql } from "kysely";
import { paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { poll } from "../poll.ts";
import { type Site, share } from "./site.ts";

/** A notification as the interface returns it. */
export interface Item {
  id: string;
  kind: string;
  text: string;
  readAt?: string;
  project?: { id: string; title: string };
  organization?: { id: string; title: string };
  links: { screen: string };
}

export const listNotifications = (token: string, query = ""): Promise<TestAnswer> =>
  service.fetch(`${paths.notifications}${query}`, { token });

/** The user's notifications, newest first, once there are as many of a kind. */
export async function waitForNotifications(
  token: string,
  kind: string,
  count = 1,
): Promise<Item[]> {
  return poll({
    async read() {
      const { status, body } = await listNotifications(token);
      assert.equal(status, 200, JSON.stringify(body));
      return (body.items as Item[]).filter((one) => one.kind === kind);
    },
    isRight: (found) => found.length >= count,
    waitMs: 30_000,
    toMessage: (found) => `${found.length} notifications of ${kind}`,
  });
}

/** Waits until notifications of all events before have been made. */
export async function waitUntilNotified(): Promise<void> {
  await poll({
    async read() {
      const { rows } = await sql<{ behind: boolean }>`
        SELECT EXISTS (SELECT 1 FROM event_queue)
          OR (SELECT max(position) FROM event_positions) > (SELECT position FROM notification_head)
          AS behind`.execute(service.db);
      return rows[0]?.behind;
    },
    isRight: (isBehind) => isBehind === false,
    waitMs: 30_000,
    toMessage: () => "events without notifications",
  });
}

/** Shares the project with a new user, who opens it: until then, users who were added by id get no mail about it. */
export async function shareOpened(site: Site, role: string): Promise<string> {
  const token = await share(site, role);
  const { status } = await service.fetch(`/v1/vault/projects/${site.id}`, { token });
  assert.equal(status, 200);
  return token;
}

interface Choices {
  language: string;
  timeZone: string;
  mails: Record<string, string>;
  muted: string[];
  weekly: string[];
}

/** Changes some of the user's choices; the others are the defaults. */
export function choose(token: string, chosen: Partial<Choices>): Promise<TestAnswer> {
  const json = { language: "en", timeZone: "UTC", mails: {}, muted: [], weekly: [], ...chosen };
  return service.fetch(paths.notificationSettings, { method: "PUT", token, json });
}
