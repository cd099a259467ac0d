import { createHash } from "node:crypto";
import { answerTo, isAsked } from "@avow/contract/answers";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answers, ItemAnswer } from "./states.ts";
import type { ConsentRecord } from "../records/row.ts";

/** The answers of a record, with the digest of their combination. */
export interface AnswerSet {
  answers: Answers;
  digest: string;
  /** Whether it was answered for all at once: there are few such combinations. */
  isWhole: boolean;
  /** The number among the configuration's choices, once it was looked up; null: there is no room for it. */
  choice?: number | null | undefined;
}

const DIGEST_LENGTH = 32;
/** Cache limit: a configuration gets the same few answers all the time. */
const KNOWN_MAX = 500;

/** Computed answers, cached as long as their configuration. */
const known = new WeakMap<OfferedConfiguration, Map<string, AnswerSet>>();

/**
 * The visitor's answer to each item that a configuration offers. A cookie record without a
 * vendor map answers for every vendor that was asked, with one for exactly those in it; required
 * vendors are never asked.
 */
export function toAnswerSet(
  configuration: OfferedConfiguration,
  said: Pick<ConsentRecord, "accept" | "preferences">,
): AnswerSet {
  const vendors = said.preferences?.vendors;
  const key = (said.accept ? "1" : "0") + (vendors ? JSON.stringify(vendors) : "");
  let answered = known.get(configuration);
  if (!answered) known.set(configuration, (answered = new Map()));
  let found = answered.get(key);
  if (found) return found;
  found = withDigest(toAnswers(configuration, said.accept, vendors), !vendors);
  if (answered.size >= KNOWN_MAX) answered.clear();
  answered.set(key, found);
  return found;
}

/** Answers with their digest: of everything but the names, since those may change. */
export function withDigest(answers: Answers, isWhole: boolean): AnswerSet {
  const entries = [...answers]
    .map(([item, { answer, substance, days }]) => [item, answer, substance, days] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(entries));
  return { answers, digest: hash.digest("hex").slice(0, DIGEST_LENGTH), isWhole };
}

function toAnswers(
  { offers }: OfferedConfiguration,
  accept: boolean,
  vendors: Readonly<Record<string, boolean>> | undefined,
): Answers {
  const answers = new Map<string, ItemAnswer>();
  // With a map, only what it names is looked at: its configuration may offer a thousand vendors.
  const slugs = vendors ? Object.keys(vendors).filter((slug) => slug !== "") : null;
  const asked = slugs ? ["", ...slugs].map((item) => offers.get(item)) : offers.values();
  for (const offer of asked) {
    if (!offer || !isAsked(offer)) continue;
    const accepts = answerTo(offer.item, { accept, vendors });
    if (accepts === undefined) continue;
    const { substance, expiresAfterDays: days, name } = offer;
    answers.set(offer.item, { answer: accepts ? "accepted" : "refused", substance, days, name });
  }
  return answers;
}
