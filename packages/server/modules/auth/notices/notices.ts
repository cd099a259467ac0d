import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { markup } from "../../../platform/text/markup.ts";
import { toAccountPage } from "./page.ts";

export interface Notice {
  title: string;
  lead: string;
}

/** Pages with a message and no form. */
export const notices: Record<
  MailLanguage,
  Record<"confirmed" | "expired" | "taken" | "linked", Notice>
> = {
  en: {
    confirmed: { title: "Thank you", lead: "Your e-mail address is confirmed." },
    expired: {
      title: "This link does not work any more",
      lead: "It is unknown, was used, or has ended. Ask for another one where you got it.",
    },
    taken: {
      title: "This belongs to another account",
      lead: "This sign-in belongs to another account here. Remove it in that account first, then add it to yours. Nothing was changed.",
    },
    linked: {
      title: "This address has an account already",
      lead: "Sign in to that account the way you did before, and add this way of signing in there. Accounts are never joined by themselves.",
    },
  },
  fr: {
    confirmed: { title: "Merci", lead: "Votre adresse e-mail est confirmée." },
    expired: {
      title: "Ce lien ne fonctionne plus",
      lead: "Il est inconnu, déjà utilisé ou périmé. Demandez-en un autre là où vous l’avez reçu.",
    },
    taken: {
      title: "Ceci appartient à un autre compte",
      lead: "Ce compte-là se connecte ici à un autre compte. Retirez-le d’abord de cet autre compte, puis ajoutez-le au vôtre. Rien n’a été changé.",
    },
    linked: {
      title: "Cette adresse a déjà un compte",
      lead: "Connectez-vous à ce compte comme auparavant, puis ajoutez-y cette façon de vous connecter. Les comptes ne sont jamais réunis d’eux-mêmes.",
    },
  },
};

export function toNoticePage(language: MailLanguage, { title, lead }: Notice): string {
  return toAccountPage({ language, title, body: markup`<p>${lead}</p>` });
}
