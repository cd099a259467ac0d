import { createHash } from "node:crypto";
import { answerTo, isAsked } from "@avow/contract/answers";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answers, ItemAnswer } from "./states.ts";
import type { ConsentRecord } from "../records/row.ts";

/** The answers of a record or state, with the digest of their combination. */
export interface AnswerSet {
  answers: Answers;
  digest: string;
  /** Whether all items were answered at once: there are few such combinations. */
  isWhole: boolean;
  /** The number of the combination; undefined: not looked up yet; null: none, because of the limit. */
  choice?: number | null | undefined;
}

const DIGEST_LENGTH = 32;
/** Cache limit: most visitors of a configuration answer in one of a few ways. */
const KNOWN_MAX = 500;

/** Cache of computed answers; it lives as long as their configuration. */
const known = new WeakMap<OfferedConfiguration, Map<string, AnswerSet>>();

/**
 * The visitor's answer to each item that a configuration offers. Without a vendor map, a cookie record answers for all
 * vendors except required ones; with a map, for exactly the vendors in it that are offered and not required.
 */
export function toAnswerSet(
  configuration: OfferedConfiguration,
  record: Pick<ConsentRecord, "accept" | "preferences">,
): AnswerSet {
  const vendors = record.preferences?.vendors;
  const key = (record.accept ? "1" : "0") + (vendors ? JSON.stringify(vendors) : "");
  let answered = known.get(configuration);
  if (!answered) known.set(configuration, (answered = new Map()));
  let found = answered.get(key);
  if (found) return found;
  found = withDigest(toAnswers(configuration, record.accept, vendors), !vendors);
  if (answered.size >= KNOWN_MAX) answered.clear();
  answered.set(key, found);
  return found;
}

/** Answers with their digest, which does not cover the names, because those may change. */
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
  // With a map, only its vendors are examined: the configuration may offer a thousand.
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
