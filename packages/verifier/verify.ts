import {
  type Bundle,
  type ConsentBundle,
  type ConsistencyProof,
  headOf,
  parseBundle,
} from "./formats/bundle.ts";
import { checkCheckpoint, checkKept } from "./checks/checkpoint-checks.ts";
import { type Checkpoint, parseCheckpoint } from "./formats/checkpoint.ts";
import { type Check, type Context, NO_BUNDLE, type Report, toVerdict } from "./checks/checks.ts";
import { checkConsistency } from "./checks/consistency-checks.ts";
import { checkErasure } from "./checks/erasure-checks.ts";
import { FormatError } from "./formats/errors.ts";
import { checkConsent, checkPublication } from "./checks/record-checks.ts";
import { toStranger } from "./formats/other-file.ts";
import type { VerifierKey } from "./formats/verifier-key.ts";
import { type Words, en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

export const languages = { en, fr };
export type Language = keyof typeof languages;

/** What somebody who checks knows, and has from elsewhere than the bundle. */
export interface Trust {
  /** The log's keys, and those of witnesses that have to have signed too. */
  trustedKeys: readonly VerifierKey[];
  /** An older checkpoint of the log that was kept: the signed note. */
  checkpoint?: string | undefined;
  /** Proofs that the log gave later, beside those in the bundle. */
  consistency?: readonly ConsistencyProof[] | undefined;
  /** Which language the findings are in. */
  language?: Language | undefined;
}

/**
 * Checks a proof bundle, or the receipt of an erasure, from its bytes up, and believes nothing that it says about itself. It is
 * proven when every check holds. Whatever is wrong with the bundle is a check that fails.
 * @throws FormatError for a `checkpoint` that is none, or where the platform lacks Ed25519
 */
export async function verifyBundle(source: Uint8Array | string, trust: Trust): Promise<Report> {
  const words = languages[trust.language ?? "en"];
  const kept = trust.checkpoint === undefined ? undefined : parseCheckpoint(trust.checkpoint);
  let bundle: Bundle;
  try {
    bundle = await parseBundle(source);
  } catch (error) {
    const says =
      error instanceof FormatError ? error.say(words.faults) : toUnreadable(error, words);
    const stranger = toStranger(source);
    const check: Check = stranger
      ? { name: NO_BUNDLE, holds: false, says: words.strangers[stranger](says) }
      : { name: "format", holds: false, says };
    return { verdict: "broken", checks: [check] };
  }
  const context: Context = {
    bundle,
    kept,
    consistency: trust.consistency ?? [],
    trusted: trust.trustedKeys,
    // The bundle's own keys come last: of one key, the trusted one is told.
    known: withoutTwins([...trust.trustedKeys, ...bundle.keys]),
    says: words.says,
  };
  try {
    const checks = await runChecks(context);
    return { verdict: toVerdict(checks), checks, bundle };
  } catch (error) {
    // Of the platform, and not of the bundle.
    if (error instanceof FormatError) throw error;
    const checks: Check[] = [{ name: "file", holds: false, says: toUnreadable(error, words) }];
    return { verdict: "broken", checks, bundle };
  }
}

/** What no check was made for, such as a text that the platform has no memory for. */
function toUnreadable(error: unknown, { faults }: Words): string {
  return faults.unreadable(error instanceof Error ? error.message : String(error));
}

async function runChecks(context: Context): Promise<Check[]> {
  const { bundle, kept, says } = context;
  const isConsent = bundle.kind === "consent";
  const say = isConsent ? says.format : says.receiptFormat;
  const checks: Check[] = [
    { name: "format", holds: true, says: say(bundle.origin) },
    ...(await (isConsent ? checkConsent(context, bundle) : checkErasure(context, bundle))),
    ...(await checkCheckpoint(context, headOf(bundle).proof.checkpoint, "")),
    ...(isConsent ? await checkShown(context, bundle) : []),
  ];
  if (kept) checks.push(await checkKept(context, kept));
  return [...checks, ...(await checkConsistency(context))];
}

/** The published version, with its own checkpoint where that is another. */
async function checkShown(context: Context, bundle: ConsentBundle): Promise<Check[]> {
  const { consent, publication } = bundle;
  const checks = await checkPublication(context, bundle);
  if (!publication || isSame(publication.proof.checkpoint, consent.proof.checkpoint)) return checks;
  const { checkpoint } = publication.proof;
  return [...checks, ...(await checkCheckpoint(context, checkpoint, "publication-"))];
}

function isSame(a: Checkpoint, b: Checkpoint): boolean {
  return a.source === b.source;
}

function withoutTwins(keys: readonly VerifierKey[]): VerifierKey[] {
  return [...new Map(keys.toReversed().map((key) => [key.text, key])).values()].toReversed();
}
