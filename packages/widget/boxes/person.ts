import { tellError } from "../core/events.ts";
import type { Context, Person } from "../banner/features.ts";
import { request } from "../core/request.ts";
import { openAnswers } from "./answers.ts";

/**
 * Errors by language, when the person's page cannot be opened: a temporary failure, and a project that does not open
 * the page by the token alone. They are in this file, which only the person's page loads.
 */
const unreachable: Readonly<Record<string, readonly [now: string, here: string]>> = {
  en: [
    "Not possible right now. Please try again later.",
    "Not possible from here. Please ask this site.",
  ],
  fr: [
    "Impossible pour le moment. Merci de réessayer plus tard.",
    "Impossible depuis cette page. Merci de vous adresser au site.",
  ],
  de: [
    "Im Moment nicht möglich. Bitte versuchen Sie es später noch einmal.",
    "Von hier aus nicht möglich. Bitte fragen Sie bei dieser Website nach.",
  ],
  es: [
    "No es posible en este momento. Inténtelo más tarde.",
    "No es posible desde aquí. Consulte a este sitio.",
  ],
  it: [
    "Al momento non è possibile. Riprovi più tardi.",
    "Da qui non è possibile. Si rivolga a questo sito.",
  ],
  nl: [
    "Nu niet mogelijk. Probeer het later opnieuw.",
    "Niet mogelijk vanaf hier. Vraag het aan deze site.",
  ],
  ar: ["غير ممكن الآن. يرجى المحاولة لاحقًا.", "غير ممكن من هنا. يرجى سؤال هذا الموقع."],
};

/** Pages of one site hear of each other's answers by it (`answering.ts`). */
const CHANNEL = "avow";
/** Without the visitor's own page opened from here, the service is asked so often; sooner where it did not answer. */
const DAY_MS = 86_400_000;
const AGAIN_MS = 3_600_000;
/** The page's tags, and the choices, wait for it. */
const FOLLOW_TIMEOUT_MS = 3_000;

/** What was answered in one place, as the service has it. */
interface Answered {
  identifier: string;
  /** The vendor; '' in a box. */
  item: string;
  status: string;
  since: string;
}

interface Given {
  answers: Answered[];
  /** By the service's clock. */
  readAt: string;
}

/** See `Person`. */
export const withPerson: Person["withPerson"] = (context, pressed) =>
  pressed ? openPage(context, pressed) : follow(context);

/** The address of the page is made when it is asked for, and holds nothing of the token. */
async function openPage(context: Context, pressed: EventTarget): Promise<void> {
  try {
    const { choices } = context;
    const { url, expiresAt } = await ask<Record<"url" | "expiresAt", string>>(context, "links");
    choices.refresh();
    choices.keep({ $$next: 0, $$personUntil: expiresAt });
    // Who comes back by the browser's button comes back to this page as it was.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted)
        follow(context).then(
          (isChanged) => isChanged && location.replace(location.pathname + location.search),
          tellError,
        );
    });
    location.assign(url);
  } catch (error) {
    if (pressed instanceof HTMLElement) {
      const language = pressed.closest("[lang]")?.getAttribute("lang")?.slice(0, 2) ?? "";
      const said = unreachable[language] ?? unreachable["en"];
      pressed.textContent = said?.[error instanceof ForbiddenError ? 1 : 0] ?? "";
    }
    throw error;
  }
}

/**
 * What the service has of the visitor holds here, too, where it is newer than this device's own answer: it was
 * answered by a link to their page, whoever made that, or elsewhere in their name. Answers whether anything was.
 */
async function follow(context: Context): Promise<boolean> {
  const { choices } = context;
  // Said before it is asked: where nothing answers, pages do not ask one after the other.
  noteAsked(context, AGAIN_MS);
  const given = await ask<Given>(context, "answers", FOLLOW_TIMEOUT_MS).catch((error: unknown) => {
    // The project gives nothing to visitors by the token alone: there is nothing to follow, and no fault.
    if (error instanceof ForbiddenError) return { answers: [], readAt: "" };
    throw error;
  });
  choices.refresh();
  noteAsked(context, DAY_MS);
  // What has run out, or was given to something else than is asked now, is asked again as ever.
  const holding = given.answers.filter(({ status }) =>
    /^(accepted|refused|withdrawn)$/.test(status),
  );
  // The service's clock is not the device's.
  const aheadMs = Date.parse(given.readAt) - Date.now();
  const isNewer = ({ since }: Answered, date: string | undefined): boolean =>
    !date || Date.parse(since) > Date.parse(date) + aheadMs;
  const isChanged = [
    followVendors(context, holding, isNewer),
    followBoxes(context, holding, isNewer),
  ].includes(true);
  if (isChanged) await tellPages();
  return isChanged;
}

type IsNewer = (answered: Answered, date: string | undefined) => boolean;

/** When the service is asked next: at each load while a link lasts that was opened here, else after a time. */
function noteAsked({ choices }: Context, againMs: number): void {
  const { $$personUntil = "" } = choices.memory;
  const isOpen = Date.now() < Date.parse($$personUntil);
  choices.keep({ $$next: isOpen ? 0 : Date.now() + againMs });
}

function followVendors(
  { choices, site }: Context,
  answers: readonly Answered[],
  isNewer: IsNewer,
): boolean {
  const { $$asked, $$googleConsentMode, $$cookiesVersion, $$date, ...before } = choices.memory;
  const asked = { ...$$asked };
  const given: Record<string, boolean> = {};
  for (const answer of answers) {
    const { identifier, item, status } = answer;
    const isOn = status === "accepted";
    const isSame = before[item] === isOn && !choices.isPending(item);
    if (identifier !== $$cookiesVersion?.identifier || isSame || !isNewer(answer, $$date)) continue;
    given[item] = isOn;
    asked[item] = site.widget?.substances?.[identifier]?.[item]?.slice(0, 8);
  }
  if (!Object.keys(given).length) return false;
  choices.keep({ ...given, $$asked: asked });
  if ($$googleConsentMode) choices.keep({ $$googleConsentMode: choices.toGrants() });
  return true;
}

function followBoxes(context: Context, answers: readonly Answered[], isNewer: IsNewer): boolean {
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

/** Tells all pages of the site that hear of answers, this one among them, and waits until this one has heard. */
async function tellPages(): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  // Who listens longest hears first (HTML, BroadcastChannel), so that this one is the last here.
  const last = new BroadcastChannel(CHANNEL);
  await new Promise((resolve) => {
    last.addEventListener("message", resolve);
    // A channel has no target: only pages of this origin hear it.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(0);
  });
  channel.close();
  last.close();
}

/** The project gives its visitors' pages to nobody by the token alone. */
class ForbiddenError extends Error {}

/** Asks the service by the visitor's token, which stands in no address. @throws Error for any answer but the one */
async function ask<T>(
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
  const told = `Avow: ${url} (${answer.status}).`;
  if (answer.status === 403) throw new ForbiddenError(told);
  if (!answer.ok) throw new Error(told);
  return (await answer.json()) as T;
}
