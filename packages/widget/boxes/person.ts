import { emitError } from "../page/events.ts";
import type { Context, Person } from "../banner/features.ts";
import { type ServiceAnswers, forgetOthers, keepNewer } from "../core/newer-answers.ts";
import { request } from "../page/request.ts";
import { type Say, sayIn } from "../core/words.ts";
import { openStoredAnswers } from "./stored.ts";

/** Notifies other pages of the site of an answer (`answering.ts`). */
const CHANNEL = "avow";
/** Interval of polling the service, and after a failure. While a link to the visitor's page is valid, each load polls. */
const DAY_MS = 86_400_000;
const RETRY_MS = 3_600_000;
/** Timeout of a request that delays the page's tags and the banner. */
const SYNC_TIMEOUT_MS = 3_000;

export const withPerson: Person["withPerson"] = (
  context,
  pressed,
  say = sayIn(context.site, context.cookies.language, context.cookies.strings),
) => (pressed ? openPage(context, pressed, say) : sync(context));

/** Requests the address of the page, which does not contain the token. */
async function openPage(context: Context, pressed: EventTarget, say: Say): Promise<void> {
  try {
    const { choices } = context;
    const { url, expiresAt } = await callService<Record<"url" | "expiresAt", string>>(
      context,
      "links",
    );
    choices.refresh();
    choices.keep({ $$next: 0, $$personUntil: expiresAt });
    // The browser's back button restores this page from its cache.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted)
        sync(context).then(
          (isChanged) => isChanged && location.replace(location.pathname + location.search),
          emitError,
        );
    });
    location.assign(url);
  } catch (error) {
    if (pressed instanceof HTMLElement)
      pressed.textContent = say(error instanceof ForbiddenError ? "askSite" : "unavailable");
    throw error;
  }
}

/**
 * Stores the visitor's answers of the service that are newer than those on this device, such as from their own page.
 * Returns whether any was.
 */
async function sync(context: Context): Promise<boolean> {
  const { choices, wanted } = context;
  // A device may be shared.
  if (wanted.token) forgetOthers(choices, wanted.token);
  // Scheduled before the request, so that not every page polls a service that does not respond.
  scheduleSync(context, RETRY_MS);
  const given = await callService<ServiceAnswers>(context, "answers", SYNC_TIMEOUT_MS).catch(
    (error: unknown) => {
      // The project does not allow access by the token alone. This is not an error.
      if (error instanceof ForbiddenError) return { answers: [], readAt: "" };
      throw error;
    },
  );
  choices.refresh();
  scheduleSync(context, DAY_MS);
  const isChanged = keepNewer({ ...context, forms: openStoredAnswers(context) }, given);
  if (isChanged) await notifyPages();
  return isChanged;
}

/** Schedules the next poll: at each load while a link to the visitor's page is valid, otherwise after `delayMs`. */
function scheduleSync({ choices }: Context, delayMs: number): void {
  const { $$personUntil = "" } = choices.memory;
  // Nothing is stored of a visitor who has not answered here.
  if (!choices.memory.$$token) return;
  const isOpen = Date.now() < Date.parse($$personUntil);
  choices.keep({ $$next: isOpen ? 0 : Date.now() + delayMs });
}

/** Notifies all pages of the site, and waits until this page has handled it. */
async function notifyPages(): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  // Channels are notified in order of creation (HTML, BroadcastChannel), so this one is the last of this page.
  const last = new BroadcastChannel(CHANNEL);
  await new Promise((resolve) => {
    last.addEventListener("message", resolve);
    // A channel has no target origin: only pages of this origin receive it.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(0);
  });
  channel.close();
  last.close();
}

/** The project does not allow access by the token alone. */
class ForbiddenError extends Error {}

/** Calls the service with the visitor's token in the body. @throws Error for any status that is not 2xx */
async function callService<T>(
  { site, choices, wanted }: Context,
  what: string,
  timeoutMs?: number,
): Promise<T> {
  const url = `${wanted.service}/v1/client/${site.projectId}/${what}`;
  const answer = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: choices.token }),
    ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
  });
  const message = `Avow: ${url} (${answer.status}).`;
  if (answer.status === 403) throw new ForbiddenError(message);
  if (!answer.ok) throw new Error(message);
  return (await answer.json()) as T;
}
