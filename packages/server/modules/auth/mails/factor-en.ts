import type { FactorLetter, Worded } from "./letters.ts";

const notYou =
  "If it was not you, somebody else may be in your account: set a new password now, which ends all sessions and API keys, and tell whoever runs the service.";

/** What mails about a second factor say. */
export function toFactorWords(letter: FactorLetter): Worded {
  const { subject, text } = toTexts(letter);
  return { subject, lines: [text, `If it was you, there is nothing to do. ${notYou}`], notes: [] };
}

function toTexts(letter: FactorLetter): { subject: string; text: string } {
  switch (letter.kind) {
    case "factor-added":
      return {
        subject: "A second factor was added",
        text: "Signing in to your account takes a code of your authenticator app from now on. Keep the recovery codes where you find them without it.",
      };
    case "factor-removed":
      return {
        subject: "Your second factor was removed",
        text:
          letter.by === "operator"
            ? "Whoever runs the service removed the second factor of your account. Signing in takes no code any more; you can add another one."
            : "The second factor of your account was removed, with its recovery codes. Signing in takes no code any more.",
      };
    case "recovery-codes-made":
      return {
        subject: "New recovery codes were made",
        text: "New recovery codes were made for your account. Those that you had before do not work any more.",
      };
    default:
      return {
        subject: "A recovery code was used",
        text: `A recovery code was used in place of a code of your authenticator app. It does not work any more; ${toLeft(letter.left)}`,
      };
  }
}

function toLeft(left: number): string {
  if (left === 0) return "none is left. Make new ones on your account's page.";
  return left === 1 ? "one is left. Make new ones on your account's page." : `${left} are left.`;
}
