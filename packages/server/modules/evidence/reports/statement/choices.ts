import type { Vendor } from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";
import { type AnyConfiguration, vendorsOf } from "@avow/contract/published";
import type { RecordedAnswer, RecordedConsent } from "@avow/contract/record";

/** What was answered to an item. `withdrawn`: refused after it was accepted once. */
export type Answer = "accepted" | "refused" | "withdrawn" | "unanswered" | "required";

/** One thing that was offered, with what was answered. */
export interface Choice {
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  name: string;
  answer: Answer;
  /** For how long the answer holds; null: without an end. Undefined where nothing was answered. */
  days: number | null | undefined;
  /** The vendor as it was published; undefined for the configuration, or where it is not known. */
  vendor: Vendor | undefined;
}

/** The state of each item behind a record, by the service's register, which is no part of the proof. */
export type ItemStates = Readonly<Record<string, { answer: string }>>;

/** The whole, then everything that was offered in the order of the steps; then what was answered beside it. */
export function toChoices(
  answers: RecordedConsent["answers"],
  configuration: AnyConfiguration,
  states: ItemStates,
): Choice[] {
  const vendors = vendorsOf(configuration);
  const whole = Object.hasOwn(answers, "") ? [""] : [];
  const items = new Set([...whole, ...vendors.keys(), ...Object.keys(answers)]);
  return [...items].map((item) => {
    const said = Object.hasOwn(answers, item) ? answers[item] : undefined;
    const vendor = vendors.get(item);
    // A record names a configuration by its `name`, which may be a word for programs.
    const shown = item === "" ? configuration : vendor;
    return {
      item,
      name: readText(shown?.title) ?? readText(said?.name) ?? item,
      answer: toAnswer(said, vendor, isWithdrawn(states, item)),
      days: said?.days,
      vendor,
    };
  });
}

/** Whether refusing an item withdrew something: the record itself only says that it was refused. */
export function isWithdrawn(states: ItemStates, item: string): boolean {
  return Object.hasOwn(states, item) && states[item]?.answer === "withdrawn";
}

function toAnswer(
  said: RecordedAnswer | undefined,
  vendor: Vendor | undefined,
  withdraws: boolean,
): Answer {
  if (said?.answer === "accepted") return "accepted";
  if (said?.answer === "refused") return withdraws ? "withdrawn" : "refused";
  return vendor?.required === true ? "required" : "unanswered";
}
