import type { Config } from "../../config/config.ts";
import { openBreachedPasswords } from "../../platform/crypto/breached-passwords.ts";
import { Fault } from "../../platform/errors.ts";
import { toLoginName } from "../../kernel/logins.ts";
import type { refusals } from "./password-schema.ts";

export type RefusedAs = (typeof refusals)[number];

interface Place {
  path: string;
  /** What its owner is called and signs in with. */
  names: readonly (string | null)[];
}

/** What people are told before they choose a password. */
export interface PasswordRule {
  /** Characters. */
  lengthMin: number;
  refused: RefusedAs[];
}

export interface PasswordPolicy extends AsyncDisposable {
  rule: PasswordRule;
  /** @throws PasswordRefused at `path`, where the operator's settings refuse it */
  assertTaken(password: string, at: Place): Promise<void>;
}

/** A fault of its own, so that pages say it in their own words. */
export class PasswordRefused extends Fault {
  override readonly name = "PasswordRefused";
  readonly as: RefusedAs;

  constructor(path: string, as: RefusedAs, lengthMin: number) {
    const message = messages[as](lengthMin);
    super("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
    this.as = as;
  }
}

const messages: Record<RefusedAs, (lengthMin: number) => string> = {
  short: (lengthMin) => `must have at least ${lengthMin} characters: a sentence works well`,
  common: () => "is one of the most used passwords: choose another",
  context: () => "is little more than your own names or those of this service: choose another",
  breached: () => "was found in a breach of another service: choose another",
};

const SERVICE = "avow";
/** Shorter ones stand in too many others. */
const WORD_LENGTH_MIN = 3;
/** So many letters beside a name are more than the name. */
const OTHER_LETTERS_MIN = 4;

/**
 * Opens what the operator set new passwords to be (`PASSWORD_LENGTH_MIN`, `PASSWORDS_REFUSED`,
 * `PASSWORDS_BREACHED`); without any of them every password is taken, as the interface has it.
 *
 * @throws StartError where the file of breached passwords is none
 */
export async function openPasswordPolicy({
  passwords: { lengthMin, refused, breachedFile },
  http: { publicUrl },
}: {
  passwords: Config["passwords"];
  http: { publicUrl: string };
}): Promise<PasswordPolicy> {
  await using opened = new AsyncDisposableStack();
  const common = refused.includes("common") ? await loadCommon(lengthMin) : undefined;
  const context = refused.includes("context");
  const host = new URL(publicUrl).hostname;
  const breached =
    breachedFile === undefined ? undefined : opened.use(await openBreachedPasswords(breachedFile));
  const find = async (password: string, names: Place["names"]): Promise<RefusedAs | undefined> => {
    if (Array.from(password).length < lengthMin) return "short";
    if (common?.has(password.toLowerCase())) return "common";
    if (context && isOfWords(password, [SERVICE, host, ...names])) return "context";
    return (await breached?.has(password)) ? "breached" : undefined;
  };
  const kept = opened.move();
  return {
    rule: {
      lengthMin,
      refused: [
        ...(lengthMin > 1 ? (["short"] as const) : []),
        ...refused,
        ...(breached ? (["breached"] as const) : []),
      ],
    },
    async assertTaken(password, { path, names }) {
      const as = await find(password, names);
      if (as !== undefined) throw new PasswordRefused(path, as, lengthMin);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The most used passwords that are long enough not to be refused anyway, in small letters. */
async function loadCommon(lengthMin: number): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= lengthMin));
}

/** Whether a password has one of the words, and hardly a letter beside them: `Avow2026!` has, a sentence with a name has not. */
function isOfWords(password: string, texts: Place["names"]): boolean {
  const folded = toLoginName(password);
  const words = texts
    .flatMap((text) => toWords(text ?? ""))
    .toSorted((a, b) => b.length - a.length);
  const left = words.reduce((rest, word) => rest.replaceAll(word, " "), folded);
  return left !== folded && left.replaceAll(/[^\p{L}]/gu, "").length < OTHER_LETTERS_MIN;
}

/** A text as it is and its parts: `ada.byron@shop.example` is also `ada`, `byron`, `shop` and `example`. */
function toWords(text: string): string[] {
  const folded = toLoginName(text);
  const parts = [folded, ...folded.split(/[^\p{L}\p{N}]+/u)];
  return parts.filter((part) => Array.from(part).length >= WORD_LENGTH_MIN);
}
