import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { markup } from "../../../platform/text/markup.ts";
import { toAccountPage } from "../../../platform/text/account-page.ts";

export interface Notice {
  title: string;
  lead: string;
}

/** Pages with a message and no form. */
export const notices: Record<
  MailLanguage,
  Record<"confirmed" | "expired" | "taken" | "linked" | "restricted", Notice>
> = {
  en: {
    confirmed: { title: "Thank you", lead: "Your e-mail address is confirmed." },
    expired: {
      title: "This link no longer works",
      lead: "It is unknown, already used or expired. Request a new one where you got it.",
    },
    taken: {
      title: "This sign-in belongs to another account",
      lead: "It already signs in to another account here. Remove it from that account first, then add it to yours. Nothing was changed.",
    },
    linked: {
      title: "This address already has an account",
      lead: "Sign in to that account as before, then add this sign-in method there. Accounts are never merged automatically.",
    },
    restricted: {
      title: "No account was created",
      lead: "This service does not create accounts for everyone. Open the link of your invitation, or ask the operator of this service for one.",
    },
  },
  fr: {
    confirmed: { title: "Merci", lead: "Votre adresse e-mail est confirmée." },
    expired: {
      title: "Ce lien ne fonctionne plus",
      lead: "Il est inconnu, déjà utilisé ou expiré. Demandez-en un nouveau là où vous l’avez obtenu.",
    },
    taken: {
      title: "Ce moyen de connexion appartient à un autre compte",
      lead: "Il permet déjà de se connecter à un autre compte ici. Retirez-le d’abord de cet autre compte, puis ajoutez-le au vôtre. Rien n’a été modifié.",
    },
    linked: {
      title: "Cette adresse a déjà un compte",
      lead: "Connectez-vous à ce compte comme auparavant, puis ajoutez-y ce moyen de connexion. Les comptes ne sont jamais fusionnés automatiquement.",
    },
    restricted: {
      title: "Aucun compte n’a été créé",
      lead: "Ce service ne crée pas de compte pour tout le monde. Ouvrez le lien de votre invitation, ou demandez-en une à l’opérateur de ce service.",
    },
  },
};

export function toNoticePage(language: MailLanguage, { title, lead }: Notice): string {
  return toAccountPage({ language, title, body: markup`<p>${lead}</p>` });
}
