import type { FactorLetter, Letter, MailWords, MailText } from "./letters.ts";

const roles = {
  owner: "as owner",
  editor: "as editor",
  viewer: "as viewer",
  auditor: "as auditor",
} as const;

export const en: MailWords = {
  orCopy: "If the button does not work, open this address:",
  colon: ":",
  footer: (publicUrl) => `Sent by Avow at ${publicUrl}`,
  toWords,
};

function toWords(letter: Letter): MailText {
  switch (letter.kind) {
    case "reset":
      return {
        subject: "Choose a new password",
        lines: ["Somebody asked for a new password for your account."],
        button: { label: "Choose a password", url: letter.url },
        notes: [
          `The link works once, for ${toTime(letter.minutes)}. Choosing a password ends all open sessions and API keys.`,
          "If it was not you, do nothing: your password stays as it is.",
        ],
      };
    case "validate":
      return toValidationWords(letter.url);
    case "password-changed":
      return toPasswordWords(letter.removed ?? []);
    case "identity-added":
      return {
        subject: "A way of signing in was added",
        lines: [
          `Your account can be signed in to with ${letter.provider} now.`,
          "If it was you, there is nothing to do. If it was not, ask for a new password now: that removes it, and ends all sessions and API keys.",
        ],
        notes: [],
      };
    case "identity-removed":
      return toRemovedWords(letter.provider);
    case "key-made":
      return toKeyWords(letter);
    case "webhook-disabled":
      return {
        subject: `A webhook to ${letter.host} was disabled`,
        lines: [
          letter.because === "gone"
            ? `${letter.host} answered that nobody is there any more (410), so the webhook ${letter.webhookId} was disabled.`
            : `Nothing that was sent to ${letter.host} in five days was taken, so the webhook ${letter.webhookId} was disabled.`,
          "What happens is not told there any more. What waited is kept for thirty days.",
        ],
        notes: [
          `Once its receiver works again, enable it: PATCH /v1/webhooks/${letter.webhookId} with {"enabled": true}. It goes on with what waited; what happened in between can be replayed.`,
          "You are told because you made the webhook, or own the organization or the project that it is of.",
        ],
      };
    case "account-deleted":
      return {
        subject: "Your account was deleted",
        lines: [
          "Your account was deleted as you asked: your names, ways of signing in, keys and roles are gone.",
          "What you did stays in the audit trails of others under a number that names nobody. This is the last mail.",
        ],
        notes: [
          "If it was not you, tell whoever runs the service. The account cannot be brought back; what others own with you is still there, and they can invite you again.",
        ],
      };
    case "invitation":
      return toInvitationWords(letter);
    default:
      return toFactorWords(letter);
  }
}

/** The inviter typed the names: they are in the body alone, and marked as the inviter's words. */
function toInvitationWords({
  url,
  inviter,
  title,
  role,
}: Letter & { kind: "invitation" }): MailText {
  return {
    subject: "You are invited to work together",
    lines: [
      `Somebody who calls themselves “${inviter}” invites you to work on what they call “${title}”, ${roles[role]}.`,
      "Sign in, or make an account, to accept.",
    ],
    button: { label: "Accept the invitation", url },
    notes: [
      "The link works once, for seven days.",
      "The names in quotation marks are the inviter's own words. If you do not know who this is, do nothing.",
    ],
  };
}

function toValidationWords(url: string): MailText {
  return {
    subject: "Confirm your e-mail address",
    lines: ["An account was made with this address. Please confirm that it is yours."],
    button: { label: "Confirm the address", url },
    notes: [
      "The link works for one day.",
      "If you made no account, confirm nothing: somebody else gave your address. To end their account, ask for a new password with this address, which signs everybody else out of it, and delete it. Where that is not enough, tell whoever runs the service.",
    ],
  };
}

function toTime(minutes = 60): string {
  return minutes === 60 ? "one hour" : `${minutes} minute${minutes > 1 ? "s" : ""}`;
}

function toPasswordWords(removed: string[]): MailText {
  return {
    subject: "Your password was changed",
    lines: [
      "The password of your account was changed, and all other sessions and API keys were ended.",
      "If it was you, there is nothing to do. If it was not, ask for a new password now, and tell whoever runs the service.",
      ...(removed.length
        ? [
            `These ways of signing in were removed, as the reset link does not prove that they are yours: ${removed.join(", ")}. You can add yours again.`,
          ]
        : []),
    ],
    notes: [],
  };
}

function toRemovedWords(provider: string): MailText {
  return {
    subject: "A way of signing in was removed",
    lines: [
      provider === "local"
        ? "Your account cannot be signed in to with its password any more."
        : `Your account cannot be signed in to with ${provider} any more.`,
      "If it was you, there is nothing to do. If it was not, ask for a new password now: that ends all sessions and API keys, and removes what somebody else may have added.",
    ],
    notes: [],
  };
}

function toKeyWords({ label, scopes }: { label: string; scopes: readonly string[] }): MailText {
  return {
    subject: "An API key was made",
    lines: [
      `An API key called “${label}” was made for your account. It may do what you may, as far as these scopes go: ${scopes.join(", ")}.`,
      "If it was you, there is nothing to do. If it was not, ask for a new password now: that ends it, with all sessions and other API keys.",
    ],
    notes: [],
  };
}

const notYou =
  "If it was not you, somebody else may be in your account: set a new password now, which ends all sessions and API keys, and tell whoever runs the service.";

function toFactorWords(letter: FactorLetter): MailText {
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
