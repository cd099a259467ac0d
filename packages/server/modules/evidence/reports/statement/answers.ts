import type { Vendor } from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";
import { type AnyConfiguration, vendorsOf } from "@avow/contract/published";
import type { RecordedAnswer, RecordedConsent } from "@avow/contract/record";

/** `withdrawn`: refused after it was accepted. */
export type Answer = "accepted" | "refused" | "withdrawn" | "unanswered" | "required";

/** An offered item, with its answer. */
export interface ItemAnswer {
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  name: string;
  answer: Answer;
  /** Validity of the answer; null: no expiry. Undefined if there is no answer. */
  days: number | null | undefined;
  /** The published vendor; undefined for the configuration, or if it is unknown. */
  vendor: Vendor | undefined;
}

/** The state of each item after a record, from the service's database. It is not part of the proof. */
export type ItemStates = Readonly<Record<string, { answer: string }>>;

/** The configuration, then the offered items in the order of steps, then answers to items that are not offered. */
export function toItemAnswers(
  answers: RecordedConsent["answers"],
  configuration: AnyConfiguration,
  states: ItemStates,
): ItemAnswer[] {
  const vendors = vendorsOf(configuration);
  const whole = Object.hasOwn(answers, "") ? [""] : [];
  const items = new Set([...whole, ...vendors.keys(), ...Object.keys(answers)]);
  return [...items].map((item) => {
    const recorded = Object.hasOwn(answers, item) ? answers[item] : undefined;
    const vendor = vendors.get(item);
    // A record has the `name` of a configuration, which may be an internal one: prefer the title.
    const shown = item === "" ? configuration : vendor;
    return {
      item,
      name: readText(shown?.title) ?? readText(recorded?.name) ?? item,
      answer: toAnswer(recorded, vendor, isWithdrawn(states, item)),
      days: recorded?.days,
      vendor,
    };
  });
}

/** Whether the refusal of an item withdrew a consent: the record itself only has the refusal. */
export function isWithdrawn(states: ItemStates, item: string): boolean {
  return Object.hasOwn(states, item) && states[item]?.answer === "withdrawn";
}

function toAnswer(
  recorded: RecordedAnswer | undefined,
  vendor: Vendor | undefined,
  withdraws: boolean,
): Answer {
  if (recorded?.answer === "accepted") return "accepted";
  if (recorded?.answer === "refused") return withdraws ? "withdrawn" : "refused";
  return vendor?.required === true ? "required" : "unanswered";
}
