import type { Right } from "../../../kernel/rights.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";

/** When a mail is sent about a notification: at once, in the daily mail, or never. */
export const mailTimes = ["now", "daily", "off"] as const;
export type MailTime = (typeof mailTimes)[number];

/** The names and numbers that a sentence about an event has. */
export interface EventFacts {
  /** The title of the project or organization. */
  title: string;
  /** The name of the actor. */
  person: string;
  version: number;
  /** Number of new services, or of days. */
  count: number;
  /** A second person has to confirm erasures. */
  isOn: boolean;
}

/** A kind of notification: one row of the table below. */
export interface KindRow {
  /** The event of the audit trail. */
  event: string;
  /** Users with this right on the project or organization are notified. */
  right: Right;
  /** The field of the event's data with a user who is notified, too, with any role. */
  also?: string;
  /** The field of the event's data with the users who were asked. If it has any, they are notified instead, with any role. */
  asked?: string;
  /** Only events with this data. */
  isFor?: (data: Record<string, unknown>) => boolean;
  /** Without a choice of the user. Some events have a mail of their own to owners, whatever is chosen here. */
  mail: MailTime;
  /** The screen of the admin app, below the project or organization. */
  place: string;
  /** The kind in the user's settings. */
  label: Record<MailLanguage, string>;
  text: Record<MailLanguage, (facts: EventFacts) => string>;
}

const many = (count: number, one: string, more: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${more}`;

/** All kinds, in the order of the settings. A new kind is one row. */
export const notificationKinds = {
  "publication-done": {
    event: "publish.done",
    right: "publish",
    isFor: ({ environment, unchanged }) => environment === "production" && unchanged !== true,
    mail: "off",
    place: "/publish",
    label: { en: "A publication is live", fr: "Une publication est en ligne" },
    text: {
      en: ({ title, person, version }) => `${person} published version ${version} of “${title}”`,
      fr: ({ title, person, version }) =>
        `${person} a publié la version ${version} de « ${title} »`,
    },
  },
  "publication-failed": {
    event: "publish.failed",
    right: "publish",
    mail: "now",
    place: "/publish",
    label: { en: "A publication failed", fr: "Une publication a échoué" },
    text: {
      en: ({ title }) => `A publication of “${title}” failed; the live version has not changed`,
      fr: ({ title }) =>
        `Une publication de « ${title} » a échoué ; la version en ligne n’a pas changé`,
    },
  },
  "scan-news": {
    event: "scan.done",
    right: "publish",
    isFor: ({ news }) => Number(news) > 0,
    mail: "off",
    place: "/scans",
    label: { en: "A scan found something new", fr: "Une analyse a trouvé du nouveau" },
    text: {
      en: ({ title, count }) =>
        `A scan of “${title}” found ${many(count, "new service or cookie", "new services or cookies")}`,
      fr: ({ title, count }) =>
        `Une analyse de « ${title} » a trouvé ${many(count, "nouveau service ou cookie", "nouveaux services ou cookies")}`,
    },
  },
  "erasure-proposed": {
    event: "erasure.proposed",
    right: "own",
    mail: "now",
    place: "/consents",
    label: { en: "An erasure waits for you", fr: "Un effacement vous attend" },
    text: {
      en: ({ title, person }) =>
        `${person} proposed to erase a person in “${title}”: confirm or reject it`,
      fr: ({ title, person }) =>
        `${person} propose d’effacer une personne dans « ${title} » : confirmez ou rejetez`,
    },
  },
  "erasure-requested": {
    event: "erasure.requested",
    right: "own",
    mail: "now",
    place: "/consents",
    label: { en: "A visitor asked to be erased", fr: "Un visiteur demande son effacement" },
    text: {
      en: ({ title }) => `A visitor of “${title}” asked to be erased: answer within a month`,
      fr: ({ title }) =>
        `Un visiteur de « ${title} » demande son effacement : répondez dans le mois`,
    },
  },
  "erasure-due": {
    event: "erasure.due",
    right: "own",
    mail: "now",
    place: "/consents",
    label: { en: "A request for erasure is due", fr: "Une demande d’effacement arrive à échéance" },
    text: {
      en: ({ title, count }) =>
        `A request for erasure in “${title}” has to be answered within ${many(count, "day", "days")}`,
      fr: ({ title, count }) =>
        `Une demande d’effacement dans « ${title} » attend une réponse sous ${many(count, "jour", "jours")}`,
    },
  },
  "erasure-rule-changed": {
    event: "erasure-rule.changed",
    right: "own",
    mail: "now",
    place: "/settings",
    label: {
      en: "The two-person rule for erasures changed",
      fr: "La règle des deux personnes pour les effacements a changé",
    },
    text: {
      en: ({ title, person, isOn }) =>
        isOn
          ? `${person} required a second owner’s confirmation of erasures in “${title}”`
          : `${person} removed the second owner’s confirmation of erasures in “${title}”`,
      fr: ({ title, person, isOn }) =>
        isOn
          ? `${person} a exigé qu’un second propriétaire confirme les effacements dans « ${title} »`
          : `${person} a levé la confirmation des effacements par un second propriétaire dans « ${title} »`,
    },
  },
  "plan-limit-near": {
    event: "plan.limit-near",
    right: "own",
    mail: "now",
    place: "/plan",
    label: { en: "A limit of the plan is near", fr: "Une limite de l’offre approche" },
    text: {
      en: ({ title, count }) => `“${title}” uses ${count}% of a limit of its plan`,
      fr: ({ title, count }) => `« ${title} » utilise ${count} % d’une limite de son offre`,
    },
  },
  "member-changed": {
    event: "rights.changed",
    right: "own",
    also: "userId",
    mail: "off",
    place: "/team",
    label: {
      en: "A member was added, or a role changed",
      fr: "Un membre a été ajouté, ou un rôle a changé",
    },
    text: {
      en: ({ title, person }) => `${person} changed the team of “${title}”`,
      fr: ({ title, person }) => `${person} a modifié l’équipe de « ${title} »`,
    },
  },
  "webhook-disabled": {
    event: "webhook.disabled",
    right: "own",
    mail: "off",
    place: "/webhooks",
    label: { en: "A webhook was disabled", fr: "Un webhook a été désactivé" },
    text: {
      en: ({ title }) => `A webhook of “${title}” was disabled, because its deliveries fail`,
      fr: ({ title }) => `Un webhook de « ${title} » a été désactivé, car ses envois échouent`,
    },
  },
  "comment-created": {
    event: "comment.created",
    right: "read",
    mail: "off",
    place: "/reviews",
    label: { en: "Somebody commented", fr: "Quelqu’un a commenté" },
    text: {
      en: ({ title, person }) => `${person} commented on “${title}”`,
      fr: ({ title, person }) => `${person} a commenté « ${title} »`,
    },
  },
  "comment-resolved": {
    event: "comment.resolved",
    right: "read",
    mail: "off",
    place: "/reviews",
    label: { en: "A comment was resolved", fr: "Un commentaire est clos" },
    text: {
      en: ({ title, person }) => `${person} resolved a comment on “${title}”`,
      fr: ({ title, person }) => `${person} a clos un commentaire sur « ${title} »`,
    },
  },
  "review-requested": {
    event: "review.requested",
    right: "write",
    asked: "reviewers",
    mail: "now",
    place: "/reviews",
    label: { en: "A review was requested", fr: "Une relecture est demandée" },
    text: {
      en: ({ title, person }) => `${person} asks for a review of “${title}”`,
      fr: ({ title, person }) => `${person} demande une relecture de « ${title} »`,
    },
  },
  "approval-given": {
    event: "approval.given",
    right: "publish",
    mail: "off",
    place: "/reviews",
    label: { en: "A draft was approved", fr: "Un brouillon est approuvé" },
    text: {
      en: ({ title, person }) => `${person} approved the draft of “${title}”`,
      fr: ({ title, person }) => `${person} a approuvé le brouillon de « ${title} »`,
    },
  },
  "changes-requested": {
    event: "review.changes-requested",
    right: "write",
    mail: "now",
    place: "/reviews",
    label: { en: "Changes were requested", fr: "Des modifications sont demandées" },
    text: {
      en: ({ title, person }) => `${person} requested changes to the draft of “${title}”`,
      fr: ({ title, person }) => `${person} demande des modifications du brouillon de « ${title} »`,
    },
  },
  "approval-withdrawn": {
    event: "approval.withdrawn",
    right: "publish",
    // Requests of changes are withdrawn under the same name.
    isFor: ({ decision }) => decision === "approved",
    mail: "off",
    place: "/reviews",
    label: { en: "An approval was withdrawn", fr: "Une approbation est retirée" },
    text: {
      en: ({ title, person }) => `${person} withdrew the approval of “${title}”`,
      fr: ({ title, person }) => `${person} a retiré l’approbation de « ${title} »`,
    },
  },
} as const satisfies Record<string, KindRow>;

export type KindName = keyof typeof notificationKinds;
export const kindNames = Object.keys(notificationKinds) as KindName[];

/** The row of a kind; undefined for one that a later release has removed. */
export function findKind(name: string): KindRow | undefined {
  return (notificationKinds as Readonly<Record<string, KindRow>>)[name];
}

/** The kind of an event, if users are notified of it. */
export function findKindOf(event: { name: string; data: Record<string, unknown> }) {
  for (const name of kindNames) {
    const row: KindRow = notificationKinds[name];
    if (row.event === event.name && (row.isFor?.(event.data) ?? true)) return { name, row };
  }
  return undefined;
}

/** Names of actors without a name, by language. */
export const actorNames = {
  en: {
    somebody: "Somebody",
    service: "The service",
    linkHolder: "The holder of a review link",
  },
  fr: {
    somebody: "Quelqu’un",
    service: "Le service",
    linkHolder: "Le détenteur d’un lien de relecture",
  },
} as const satisfies Record<MailLanguage, Record<string, string>>;
