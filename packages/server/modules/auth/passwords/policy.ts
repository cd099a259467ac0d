import type { Config } from "../../../config/config.ts";
import { openBreachedPasswords } from "../../../platform/crypto/breached-passwords.ts";
import { Fault } from "../../../platform/errors.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { rejections } from "./schema.ts";

export type Rejection = (typeof rejections)[number];

interface PasswordField {
  path: string;
  /** The names of its user. */
  names: readonly (string | null)[];
}

/** The rule as shown before choosing a password. */
export interface PasswordRule {
  /** In characters. */
  lengthMin: number;
  refused: Rejection[];
}

/** The origin of a new password: a client of the interface, or a screen of this service. */
export type PasswordPlace = "interface" | "screens";

export interface PasswordPolicy extends AsyncDisposable {
  rules: Record<PasswordPlace, PasswordRule>;
  /** @throws PasswordRejected at `path` when the rule of the place rejects the password */
  assertAccepted(password: string, at: PasswordField & { place: PasswordPlace }): Promise<void>;
}

/** An error with its reason, for which pages have their own text. */
export class PasswordRejected extends Fault {
  override readonly name = "PasswordRejected";
  readonly as: Rejection;

  constructor(path: string, as: Rejection, lengthMin: number) {
    const message = messages[as](lengthMin);
    super("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
    this.as = as;
  }
}

const messages: Record<Rejection, (lengthMin: number) => string> = {
  short: (lengthMin) => `must have at least ${lengthMin} characters; a sentence works well`,
  common: () => "is one of the most common passwords, or close to one; choose another",
  context: () => "consists mostly of your names or those of this service; choose another",
  breached: () => "was found in a data breach; choose another",
};

/** The screens' minimum length (wire section 9). */
const SCREENS_LENGTH_MIN = 8;
const SERVICE = "avow";
/** Shorter words occur in too many passwords. */
const WORD_LENGTH_MIN = 3;
/** Maximum number of characters around a common password: a year and a sign. */
const AROUND_MAX = 5;
/** Minimum number of letters besides names. */
const OTHER_LETTERS_MIN = 4;

/**
 * Opens the rules for new passwords. The interface accepts every password unless the operator sets a rule
 * (specification, Authentication 6); the screens always require eight characters and reject common and breached passwords.
 *
 * @throws StartError for an invalid file of breached passwords
 */
export async function openPasswordPolicy({
  passwords: { lengthMin, refused, breachedFile, isRuleEverywhere },
  http: { publicUrl },
}: {
  passwords: Config["passwords"];
  http: { publicUrl: string };
}): Promise<PasswordPolicy> {
  await using opened = new AsyncDisposableStack();
  const host = new URL(publicUrl).hostname;
  const breached =
    breachedFile === undefined ? undefined : opened.use(await openBreachedPasswords(breachedFile));
  const toRule = (given: { lengthMin: number; refused: readonly Rejection[] }): PasswordRule => ({
    lengthMin: given.lengthMin,
    refused: rejections.filter(
      (as) =>
        given.refused.includes(as) ||
        (as === "short" && given.lengthMin > 1) ||
        (as === "breached" && breached !== undefined),
    ),
  });
  const screens = toRule({
    lengthMin: Math.max(lengthMin, SCREENS_LENGTH_MIN),
    refused: [...refused, "common"],
  });
  const rules = {
    interface: isRuleEverywhere ? screens : toRule({ lengthMin, refused }),
    screens,
  };
  let common: ReturnType<typeof loadCommon> | undefined;
  const find = async (
    password: string,
    { rule, names }: { rule: PasswordRule; names: PasswordField["names"] },
  ): Promise<Rejection | undefined> => {
    const isRefused = (as: Rejection): boolean => rule.refused.includes(as);
    if (Array.from(password).length < rule.lengthMin) return "short";
    // Loaded with the first password, since it takes 15 MB and a sixth of a second.
    if (isRefused("common") && isCommon(password, await (common ??= loadCommon()))) return "common";
    if (isRefused("context") && isMadeOfWords(password, [SERVICE, host, ...names]))
      return "context";
    return (await breached?.has(password)) ? "breached" : undefined;
  };
  const kept = opened.move();
  return {
    rules,
    async assertAccepted(password, { path, names, place }) {
      const rule = rules[place];
      const as = await find(password, { rule, names });
      if (as !== undefined) throw new PasswordRejected(path, as, rule.lengthMin);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The most common passwords, in lower case. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}

/**
 * Whether a password is one of the most common ones, one of them with up to five digits or signs around it such as
 * `Password1!` or `Summer2024!`, or a repetition of at most three characters.
 */
function isCommon(password: string, common: ReadonlySet<string>): boolean {
  const folded = password.toLowerCase();
  const base = folded.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const around = folded.length - base.length;
  return (
    common.has(folded) ||
    /^(.{1,3}?)\1+$/su.test(folded) ||
    (base.length > 0 && around <= AROUND_MAX && common.has(base)) ||
    common.has(folded.replace(/[^\p{L}\p{N}]+$/u, ""))
  );
}

/** Whether a password consists mostly of one of the words: `Avow2026!` does, a sentence with a name does not. */
function isMadeOfWords(password: string, texts: PasswordField["names"]): boolean {
  const folded = toLoginName(password);
  const words = texts
    .flatMap((text) => toWords(text ?? ""))
    .toSorted((a, b) => b.length - a.length);
  const left = words.reduce((rest, word) => rest.replaceAll(word, " "), folded);
  return left !== folded && left.replaceAll(/[^\p{L}]/gu, "").length < OTHER_LETTERS_MIN;
}

/** A text and its parts: for `ada.byron@shop.example` also `ada`, `byron`, `shop` and `example`. */
function toWords(text: string): string[] {
  const folded = toLoginName(text);
  const parts = [folded, ...folded.split(/[^\p{L}\p{N}]+/u)];
  return parts.filter((part) => Array.from(part).length >= WORD_LENGTH_MIN);
}
