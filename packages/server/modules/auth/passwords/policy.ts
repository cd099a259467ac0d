import type { Config } from "../../../config/config.ts";
import { openBreachedPasswords } from "../../../platform/crypto/breached-passwords.ts";
import { Fault } from "../../../platform/errors.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import type { rejections } from "./schema.ts";

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

export interface PasswordPolicy extends AsyncDisposable {
  rule: PasswordRule;
  /** @throws PasswordRejected at `path` when the operator's settings reject the password */
  assertAccepted(password: string, at: PasswordField): Promise<void>;
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
  common: () => "is one of the most common passwords; choose another",
  context: () => "consists mostly of your names or those of this service; choose another",
  breached: () => "was found in a data breach; choose another",
};

const SERVICE = "avow";
/** Shorter words occur in too many passwords. */
const WORD_LENGTH_MIN = 3;
/** Minimum number of letters besides names. */
const OTHER_LETTERS_MIN = 4;

/**
 * Opens the operator's rule for new passwords (`PASSWORD_LENGTH_MIN`, `PASSWORDS_REFUSED`, `PASSWORDS_BREACHED`). Without
 * these settings every password is accepted, as the interface specifies.
 *
 * @throws StartError for an invalid file of breached passwords
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
  const find = async (
    password: string,
    names: PasswordField["names"],
  ): Promise<Rejection | undefined> => {
    if (Array.from(password).length < lengthMin) return "short";
    if (common?.has(password.toLowerCase())) return "common";
    if (context && isMadeOfWords(password, [SERVICE, host, ...names])) return "context";
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
    async assertAccepted(password, { path, names }) {
      const as = await find(password, names);
      if (as !== undefined) throw new PasswordRejected(path, as, lengthMin);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The most common passwords that satisfy the minimum length, in lower case. */
async function loadCommon(lengthMin: number): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter((word) => word.length >= lengthMin));
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
