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
import { toOtherFile } from "./formats/other-file.ts";
import type { VerifierKey } from "./formats/verifier-key.ts";
import { type Words, en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

export const languages = { en, fr };
export type Language = keyof typeof languages;

/** Trusted input of a verification, from a source other than the bundle. */
export interface Trust {
  /** Trusted keys of the log, and of witnesses, which must all have signed. */
  trustedKeys: readonly VerifierKey[];
  /** The signed note of an older checkpoint that was saved. */
  checkpoint?: string | undefined;
  /** Consistency proofs in addition to those in the bundle. */
  consistency?: readonly ConsistencyProof[] | undefined;
  /** The language of the report. */
  language?: Language | undefined;
}

/**
 * Verifies a proof bundle or the receipt of an erasure from its bytes, without trusting its content. It is proven if every
 * check passes. An error in the bundle is a failed check.
 * @throws FormatError for an invalid `checkpoint`, or without Ed25519 support
 */
export async function verifyBundle(source: Uint8Array | string, trust: Trust): Promise<Report> {
  const words = languages[trust.language ?? "en"];
  const kept = trust.checkpoint === undefined ? undefined : parseCheckpoint(trust.checkpoint);
  let bundle: Bundle;
  try {
    bundle = await parseBundle(source);
  } catch (error) {
    const says =
      error instanceof FormatError ? error.say(words.errors) : toUnreadable(error, words);
    const otherFile = toOtherFile(source);
    const check: Check = otherFile
      ? { name: NO_BUNDLE, holds: false, says: words.otherFiles[otherFile](says) }
      : { name: "format", holds: false, says };
    return { verdict: "broken", checks: [check] };
  }
  const context: Context = {
    bundle,
    kept,
    consistency: trust.consistency ?? [],
    trusted: trust.trustedKeys,
    // The bundle's own keys come last, so that a trusted key takes precedence.
    known: deduplicate([...trust.trustedKeys, ...bundle.keys]),
    says: words.says,
  };
  try {
    const checks = await runChecks(context);
    return { verdict: toVerdict(checks), checks, bundle };
  } catch (error) {
    // An error of the platform, not of the bundle.
    if (error instanceof FormatError) throw error;
    const checks: Check[] = [{ name: "file", holds: false, says: toUnreadable(error, words) }];
    return { verdict: "broken", checks, bundle };
  }
}

/** The text of an unexpected error, such as running out of memory. */
function toUnreadable(error: unknown, { errors }: Words): string {
  return errors.unreadable(error instanceof Error ? error.message : String(error));
}

async function runChecks(context: Context): Promise<Check[]> {
  const { bundle, kept, says } = context;
  const isConsent = bundle.kind === "consent";
  const toText = isConsent ? says.format : says.receiptFormat;
  const checks: Check[] = [
    { name: "format", holds: true, says: toText(bundle.origin) },
    ...(await (isConsent ? checkConsent(context, bundle) : checkErasure(context, bundle))),
    ...(await checkCheckpoint(context, headOf(bundle).proof.checkpoint, "")),
    ...(isConsent ? await checkShown(context, bundle) : []),
  ];
  if (kept) checks.push(await checkKept(context, kept));
  return [...checks, ...(await checkConsistency(context))];
}

/** Checks the published version, and its checkpoint if that is a different one. */
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

function deduplicate(keys: readonly VerifierKey[]): VerifierKey[] {
  return [...new Map(keys.toReversed().map((key) => [key.text, key])).values()].toReversed();
}
