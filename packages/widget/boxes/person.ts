import { emitError } from "../core/events.ts";
import type { Context, Person } from "../banner/features.ts";
import { CLEAN_MS } from "../core/memory.ts";
import { request } from "../core/request.ts";
import { type Say, sayIn } from "../core/words.ts";
import { openAnswers } from "./answers.ts";

/** Notifies other pages of the site of an answer (`answering.ts`). */
const CHANNEL = "avow";
/** Interval of polling the service, and after a failure. While a link to the visitor's page is valid, each load polls. */
const DAY_MS = 86_400_000;
const RETRY_MS = 3_600_000;
/** Timeout of a request that delays the page's tags and the banner. */
const SYNC_TIMEOUT_MS = 3_000;

/** An answer, as the service returns it. */
interface ServiceAnswer {
  identifier: string;
  /** The vendor; empty for a box. */
  item: string;
  status: string;
  since: string;
}

interface AnswersResponse {
  answers: ServiceAnswer[];
  /** The time of the service's clock. */
  readAt: string;
}

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
  const { choices } = context;
  // Scheduled before the request, so that not every page polls a service that does not respond.
  scheduleSync(context, RETRY_MS);
  const given = await callService<AnswersResponse>(context, "answers", SYNC_TIMEOUT_MS).catch(
    (error: unknown) => {
      // The project does not allow access by the token alone. This is not an error.
      if (error instanceof ForbiddenError) return { answers: [], readAt: "" };
      throw error;
    },
  );
  choices.refresh();
  scheduleSync(context, DAY_MS);
  // Answers that expired or were given before a material change are asked again, and ignored here.
  const holding = given.answers.filter(({ status }) =>
    /^(accepted|refused|withdrawn)$/.test(status),
  );
  // Corrects the difference between the clocks of the service and the device.
  const aheadMs = Date.parse(given.readAt) - Date.now();
  const isNewer = ({ since }: ServiceAnswer, date: string | undefined): boolean =>
    !date || Date.parse(since) > Date.parse(date) + aheadMs;
  const isChanged = [
    syncVendors(context, holding, isNewer),
    syncBoxes(context, holding, isNewer),
  ].includes(true);
  if (isChanged) await notifyPages();
  return isChanged;
}

type IsNewer = (answered: ServiceAnswer, date: string | undefined) => boolean;

/** Schedules the next poll: at each load while a link to the visitor's page is valid, otherwise after `delayMs`. */
function scheduleSync({ choices }: Context, delayMs: number): void {
  const { $$personUntil = "" } = choices.memory;
  const isOpen = Date.now() < Date.parse($$personUntil);
  choices.keep({ $$next: isOpen ? 0 : Date.now() + delayMs });
}

function syncVendors(
  { choices, site, cookies }: Context,
  answers: readonly ServiceAnswer[],
  isNewer: IsNewer,
): boolean {
  const { $$asked, $$googleConsentMode, $$cookiesVersion, $$date, ...before } = choices.memory;
  const current = $$cookiesVersion?.identifier ?? cookies.identifier;
  const asked = { ...$$asked };
  const given: Record<string, boolean> = {};
  for (const answer of answers) {
    const { identifier, item, status } = answer;
    const isOn = status === "accepted";
    const isSame = before[item] === isOn && !choices.isPending(item);
    if (identifier !== current || isSame || !isNewer(answer, $$date)) continue;
    given[item] = isOn;
    asked[item] = site.widget?.substances?.[identifier]?.[item]?.slice(0, 8);
  }
  if (!Object.keys(given).length) return false;
  const $$imported = { ...choices.memory.$$imported };
  for (const item of Object.keys(given)) delete $$imported[item];
  const isRefusing = Object.values(given).includes(false);
  choices.keep({
    ...given,
    $$asked: asked,
    $$imported,
    ...(isRefusing && { $$clean: Date.now() + CLEAN_MS }),
  });
  if ($$googleConsentMode) choices.keep({ $$googleConsentMode: choices.toGrants() });
  return true;
}

function syncBoxes(context: Context, answers: readonly ServiceAnswer[], isNewer: IsNewer): boolean {
  const { site, choices } = context;
  const held = openAnswers(context);
  let isChanged = false;
  for (const box of [...(site.processings ?? []), ...(site.contracts ?? [])]) {
    const answer = answers.find(({ identifier }) => identifier === box.identifier);
    const before = held.find(box);
    const accept = answer?.status === "accepted";
    if (!answer || before?.accept === accept || !isNewer(answer, before?.date)) continue;
    held.keep(box, { accept, token: choices.token, date: answer.since });
    isChanged = true;
  }
  return isChanged;
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
