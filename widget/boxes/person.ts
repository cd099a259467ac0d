import { tellError } from "../events.ts";
import type { Context, Person } from "../features.ts";
import type { Memory } from "../memory.ts";
import { request } from "../request.ts";
import { openAnswers } from "./answers.ts";
import { unreachable } from "./person-words.ts";

/** Pages of one site hear of each other's answers by it (`answering.ts`). */
const CHANNEL = "avow";

/** What was answered in one place, as the service has it. */
interface Answered {
  identifier: string;
  /** The vendor; '' in a box. */
  item: string;
  status: string;
  since: string;
}

/** See `Person`. */
export const withPerson: Person["withPerson"] = (context, pressed) =>
  pressed ? openPage(context, pressed) : follow(context);

/** The address of the page is made when it is asked for, and holds nothing of the token. */
async function openPage(context: Context, pressed: EventTarget): Promise<void> {
  try {
    const { choices } = context;
    const { url, createdAt, expiresAt } = await ask<
      Record<"url" | "createdAt" | "expiresAt", string>
    >(context, "links");
    choices.refresh();
    choices.keep({ $$person: { after: createdAt, until: expiresAt } });
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
    if (pressed instanceof HTMLElement)
      pressed.textContent =
        unreachable[pressed.closest("[lang]")?.getAttribute("lang")?.slice(0, 2) ?? ""] ??
        unreachable["en"] ??
        "";
    throw error;
  }
}

/**
 * What the visitor answered on the page holds here, too, from the next load on. An answer is taken over once, by the
 * service's clock: what is answered here since holds before it. The link's end ends the asking. Answers whether
 * anything was answered there.
 */
async function follow(context: Context): Promise<boolean> {
  const { choices, site } = context;
  choices.refresh();
  const { $$person, $$cookiesVersion } = choices.memory;
  if (!$$person) return false;
  if (Date.now() > Date.parse($$person.until)) {
    choices.keep({ $$person: undefined });
    return false;
  }
  const { answers } = await ask<{ answers: Answered[] }>(context, "answers");
  const fresh = answers.filter(
    // What has run out, or was given to something else than is asked now, is asked again as ever.
    ({ since, status }) => since > $$person.after && /^(accepted|refused|withdrawn)$/.test(status),
  );
  if (!fresh.length) return false;
  const after = fresh.map(({ since }) => since).reduce((a, b) => (a > b ? a : b));
  const vendors = fresh.filter(({ identifier }) => identifier === $$cookiesVersion?.identifier);
  followVendors(context, vendors, { ...$$person, after });
  const boxes = openAnswers(context);
  for (const box of [...(site.processings ?? []), ...(site.contracts ?? [])])
    for (const { identifier, status } of fresh)
      if (identifier === box.identifier)
        boxes.keep(box, { accept: status === "accepted", token: choices.token });
  const channel = new BroadcastChannel(CHANNEL);
  // A channel has no target: only pages of this origin hear it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(0);
  channel.close();
  return true;
}

function followVendors(
  { choices, site }: Context,
  answers: readonly Answered[],
  $$person: Memory["$$person"],
): void {
  const { $$asked, $$googleConsentMode } = choices.memory;
  const asked = { ...$$asked };
  const given: Record<string, boolean> = {};
  for (const { identifier, item, status } of answers) {
    given[item] = status === "accepted";
    asked[item] = site.widget?.substances?.[identifier]?.[item]?.slice(0, 8);
  }
  choices.keep({ ...given, $$asked: asked, $$person });
  if ($$googleConsentMode) choices.keep({ $$googleConsentMode: choices.toGrants() });
}

/** Asks the service by the visitor's token, which stands in no address. @throws Error for any answer but the one */
async function ask<T>({ site, choices, wanted }: Context, what: string): Promise<T> {
  const url = `${wanted.service}/v1/client/${site.projectId}/${what}`;
  const answer = await request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: choices.token }),
  });
  if (!answer.ok) throw new Error(`Avow: ${url} (${answer.status}).`);
  return (await answer.json()) as T;
}
