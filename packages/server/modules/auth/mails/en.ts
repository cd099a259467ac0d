import type { FactorLetter, Letter, MailWords, MailText } from "./letters.ts";
import { toWeekTable } from "./week.ts";

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
  brandFooter: ({ name, supportEmail }, publicUrl) =>
    `Sent for ${name} by the service at ${publicUrl}.${supportEmail === undefined ? "" : ` Questions: ${supportEmail}`}`,
  toWords,
};

function toWords(letter: Letter): MailText {
  switch (letter.kind) {
    case "reset":
      return {
        subject: "Choose a new password",
        lines: ["A new password was requested for your account."],
        button: { label: "Choose a password", url: letter.url },
        notes: [
          `The link works once, for ${toTime(letter.minutes)}. Choosing a new password ends all sessions and revokes all API keys.`,
          "If it was not you, ignore this e-mail. Your password stays the same.",
        ],
      };
    case "validate":
      return toValidationWords(letter.url);
    case "password-changed":
      return toPasswordWords(letter.removed ?? []);
    case "identity-added":
      return {
        subject: "A sign-in method was added",
        lines: [
          `You can now sign in to your account with ${letter.provider}.`,
          "If it was you, there is nothing to do. If it was not, reset your password now. That removes the new method, ends all sessions and revokes all API keys.",
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
            ? `${letter.host} answered 410 (Gone), so the webhook ${letter.webhookId} was disabled.`
            : `All deliveries to ${letter.host} have failed for five days, so the webhook ${letter.webhookId} was disabled.`,
          "No more events are sent to it. Pending events are kept for 30 days.",
        ],
        notes: [
          `Once the receiver works again, enable the webhook: PATCH /v1/webhooks/${letter.webhookId} with {"enabled": true}. It then delivers the pending events. Later events can be replayed.`,
          "You receive this e-mail because you created the webhook, or own its organization or project.",
        ],
      };
    case "scan-changed":
      return {
        subject: `Something new was found on ${letter.host}`,
        lines: [
          `A scan of the website of the project “${letter.title}” found what the scan before had not:`,
          ...letter.news.map((one) => `– ${one}`),
        ],
        button: { label: "Open the scan", url: letter.url },
        notes: [
          "Declare what is needed as a vendor, and remove the rest from the website.",
          "You receive this e-mail because you are an owner or an editor of the project, whose settings ask for scans.",
        ],
      };
    case "snippet":
      return {
        subject: `Add the cookie banner to ${letter.host}`,
        lines: [
          `${letter.sender} asks you to add the cookie banner of the project “${letter.title}” to ${letter.host}. Paste this at the start of the <head> of every page, before any other tag:`,
          ...letter.snippet.split("\n"),
          `With Google Tag Manager, WordPress, Next.js, Nuxt or React Native, use the integration instead. It asks for the address of the service and the project: ${letter.serviceUrl} and ${letter.projectId}.`,
        ],
        notes: [
          "It contains no secret. The banner appears as soon as a page with it is opened.",
          `You receive this e-mail because a user of ${letter.serviceUrl} entered your address. If you do not know them, ignore it.`,
        ],
      };
    case "notifications":
      return toNotificationWords(letter);
    case "weekly":
      return toWeeklyWords(letter);
    case "account-deleted":
      return {
        subject: "Your account was deleted",
        lines: [
          "Your account was deleted as you requested, with your name, sign-in methods, API keys and roles.",
          "Your actions stay in the audit trails of others under an anonymous number. This is the last e-mail from us.",
        ],
        notes: [
          "If it was not you, contact the operator of the service. The account cannot be restored. Shared projects and organizations still exist, and their owners can invite you again.",
        ],
      };
    case "invitation":
      return toInvitationWords(letter);
    case "added":
      return toAddedWords(letter);
    case "project-offered":
      return {
        subject: "A project is offered to you",
        lines: [
          `A person with the name “${letter.offerer}” offers you the project “${letter.title}”, with its configuration, consents and proofs.`,
          "To accept it into an organization of yours, sign in or create an account with this e-mail address, and confirm it. The members that the project has now lose access.",
        ],
        button: { label: "Review the offer", url: letter.url },
        notes: [
          "The link works once, for seven days. You can decline the offer there.",
          "That person chose the names in quotation marks. If you do not know this person, ignore this e-mail.",
        ],
      };
    default:
      return toFactorWords(letter);
  }
}

function toNotificationWords({
  isDigest,
  lines,
  more,
  url,
  unsubscribeUrl,
}: Letter & { kind: "notifications" }): MailText {
  const [first = ""] = lines;
  return {
    subject: isDigest ? "Your notifications of the day" : first,
    lines: isDigest
      ? [...lines.map((line) => `– ${line}`), ...(more > 0 ? [`And ${more} more.`] : [])]
      : [`${first}.`],
    button: { label: isDigest ? "Open the notifications" : "Open", url },
    notes: [
      "You receive this e-mail because of your role, and of your choices in your account, where you can change them.",
    ],
    link: {
      label: isDigest ? "No more daily e-mails" : "No more e-mails of this kind",
      url: unsubscribeUrl,
    },
  };
}

function toWeeklyWords({
  from,
  to,
  timeZone,
  projects,
  more,
  url,
  unsubscribeUrl,
}: Letter & { kind: "weekly" }): MailText {
  return {
    subject: `Your week: ${from} to ${to}`,
    lines: [
      `The consents of the week from Monday, ${from}, to Sunday, ${to}, by days of the time zone ${timeZone}, compared with the week before.`,
    ],
    tables: projects.map((project) =>
      toWeekTable(project, {
        locale: "en",
        head: ["Day", "Shown", "Answered", "Accepted", "Refused"],
        total: "Week",
        before: "Before",
        change: "Change",
        facts: ({ publications, news }) => [
          `${publications === 1 ? "1 publication" : `${publications} publications`}, ${news === 1 ? "1 new service or cookie" : `${news} new services or cookies`} found by scans.`,
        ],
      }),
    ),
    button: { label: "Open the statistics", url },
    notes: [
      ...(more > 0 ? [`${more} more projects are in the statistics.`] : []),
      "“Answered” also contains visitors who accepted a part.",
      "You receive this e-mail because you asked for it in your account.",
    ],
    link: { label: "No more weekly e-mails", url: unsubscribeUrl },
  };
}

/** The inviter chose the names, so they appear only in the body, in quotation marks. */
function toInvitationWords({
  url,
  inviter,
  title,
  role,
  isBound,
}: Letter & { kind: "invitation" }): MailText {
  return {
    subject: "You are invited to collaborate",
    lines: [
      `A person with the name “${inviter}” invites you to work on “${title}”, ${roles[role]}.`,
      isBound
        ? "To accept, sign in or create an account with this e-mail address, and confirm it. Nobody else can accept."
        : "To accept, sign in or create an account.",
    ],
    button: { label: "Accept the invitation", url },
    notes: [
      "The link works once, for seven days.",
      "The inviter chose the names in quotation marks. If you do not know this person, ignore this e-mail.",
    ],
  };
}

function toAddedWords({
  url,
  adder,
  title,
  role,
  isDisclosed,
}: Letter & { kind: "added" }): MailText {
  return {
    subject: "You were added to a team",
    lines: [
      `A person with the name “${adder}” added you to “${title}”, ${roles[role]}.`,
      ...(isDisclosed
        ? []
        : [
            "The members of the team see neither your name nor your e-mail address until you open it.",
          ]),
    ],
    button: { label: "Open or leave", url },
    notes: [
      "That person chose the names in quotation marks. If you do not know this person, leave the team.",
    ],
  };
}

function toValidationWords(url: string): MailText {
  return {
    subject: "Confirm your e-mail address",
    lines: ["An account was created with this address. Please confirm that it is yours."],
    button: { label: "Confirm the address", url },
    notes: [
      "The link works for one day.",
      "If you did not create an account, do not confirm: somebody else entered your address. To delete that account, reset its password with this address, which signs out everybody else, and then delete it. If that does not help, contact the operator of the service.",
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
      "The password of your account was changed. All other sessions were ended, and all API keys were revoked.",
      "If it was you, there is nothing to do. If it was not, reset your password now, and contact the operator of the service.",
      ...(removed.length
        ? [
            `These sign-in methods were removed, since the reset link does not prove that they are yours: ${removed.join(", ")}. You can add yours again.`,
          ]
        : []),
    ],
    notes: [],
  };
}

function toRemovedWords(provider: string): MailText {
  return {
    subject: "A sign-in method was removed",
    lines: [
      provider === "local"
        ? "You can no longer sign in to your account with its password."
        : `You can no longer sign in to your account with ${provider}.`,
      "If it was you, there is nothing to do. If it was not, reset your password now. That ends all sessions, revokes all API keys and removes sign-in methods that somebody else may have added.",
    ],
    notes: [],
  };
}

function toKeyWords({ label, scopes }: { label: string; scopes: readonly string[] }): MailText {
  return {
    subject: "An API key was created",
    lines: [
      `The API key “${label}” was created for your account. It has your rights, limited to these scopes: ${scopes.join(", ")}.`,
      "If it was you, there is nothing to do. If it was not, reset your password now. That revokes all API keys and ends all sessions.",
    ],
    notes: [],
  };
}

const notYou =
  "If it was not you, somebody else may have access to your account. Reset your password now, which ends all sessions and revokes all API keys, and contact the operator of the service.";

function toFactorWords(letter: FactorLetter): MailText {
  const { subject, text } = toTexts(letter);
  return { subject, lines: [text, `If it was you, there is nothing to do. ${notYou}`], notes: [] };
}

function toTexts(letter: FactorLetter): { subject: string; text: string } {
  switch (letter.kind) {
    case "factor-added":
      return {
        subject: "A second factor was added",
        text: "From now on, signing in to your account requires a code from your authenticator app. Keep the recovery codes where you can find them without the app.",
      };
    case "factor-removed":
      return {
        subject: "Your second factor was removed",
        text:
          letter.by === "operator"
            ? "The operator of the service removed the second factor of your account. Signing in no longer requires a code. You can add a new second factor."
            : "The second factor of your account was removed, with its recovery codes. Signing in no longer requires a code.",
      };
    case "recovery-codes-made":
      return {
        subject: "New recovery codes were created",
        text: "New recovery codes were created for your account. The previous ones no longer work.",
      };
    default:
      return {
        subject: "A recovery code was used",
        text: `A recovery code was used instead of a code from your authenticator app. It no longer works; ${toLeft(letter.left)}`,
      };
  }
}

function toLeft(left: number): string {
  if (left === 0) return "none are left. Create new ones on your account page.";
  return left === 1 ? "one is left. Create new ones on your account page." : `${left} are left.`;
}
