import type { AnswerImport } from "@avow/contract/configuration";
import type { Device } from "../../banner/features.ts";
import { emit, emitError } from "../../page/events.ts";
import { toCookieOptions } from "../../core/cookie-options.ts";
import { CLEAN_MS } from "../../core/memory.ts";
import { isOptedOut } from "../../page/consent-mode.ts";
import { listVendors } from "../../core/site.ts";
import { type ToolAnswer, readToolAnswer } from "./stored.ts";

const DAY_MS = 86_400_000;
/** Tolerance for the clocks of the devices that wrote and read a synchronized cookie. */
const FUTURE_MAX_MS = DAY_MS;

/**
 * Adopts the first valid answer to another consent tool: for the vendors that the configuration maps, with the time of
 * that answer, so that it expires as it would have there. All other vendors are asked.
 */
export const adoptAnswers: Device["adoptAnswers"] = ({ choices, wanted, cookies }) => {
  const { days } = toCookieOptions(wanted, cookies);
  for (const one of cookies.imports ?? []) {
    const answer = readToolAnswer(one);
    if (!answer || !isCurrent(answer, days)) continue;
    const given = toGiven(one.categories, answer, choices.isAsked);
    const names = Object.keys(given);
    if (!names[0]) continue;
    const { from } = one;
    const vendors = listVendors(cookies);
    const isToClean = names.some((name) => !given[name] && vendors.get(name)?.storage);
    const answeredAt = answer.at && new Date(answer.at).toISOString();
    const sending = choices.answer(given, undefined, {
      accept: false,
      memory: {
        $$imported: Object.fromEntries(names.map((name) => [name, from])),
        ...(isToClean && { $$clean: Date.now() + CLEAN_MS }),
      },
      imported: { from, ...(answeredAt && { answeredAt }) },
    });
    if (answeredAt) choices.keep({ $$date: answeredAt });
    sending.then((sent) => (sent === "kept" ? emit("kept") : emit("saved", sent))).catch(emitError);
    return;
  }
};

/** Whether an answer is neither older than a consent may be nor expired, and not dated in the future. */
function isCurrent({ at, until = Infinity }: ToolAnswer, days: number): boolean {
  const now = Date.now();
  return (
    until > now && (at === undefined || (at < now + FUTURE_MAX_MS && at > now - days * DAY_MS))
  );
}

/**
 * The answers for vendors: a vendor is accepted if all categories that name it were. One with an unanswered category has
 * no answer, and neither has an accepted one if the browser sends Global Privacy Control: it is asked.
 */
export function toGiven(
  categories: AnswerImport["categories"],
  { given, isComplete }: Pick<ToolAnswer, "given" | "isComplete">,
  isAsked: (vendor: string) => boolean,
): Record<string, boolean> {
  const answers = new Map<string, boolean | undefined>();
  for (const [category, vendors] of Object.entries(categories)) {
    const isOn = given.get(category) ?? (isComplete ? false : undefined);
    for (const vendor of vendors.filter(isAsked))
      answers.set(vendor, answers.has(vendor) ? combine(answers.get(vendor), isOn) : isOn);
  }
  const known: Record<string, boolean> = {};
  for (const [vendor, isOn] of answers)
    if (isOn === false || (isOn && !isOptedOut())) known[vendor] = isOn;
  return known;
}

/** A refusal is stronger than a missing answer, which is stronger than an acceptance. */
function combine(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a && b;
}
