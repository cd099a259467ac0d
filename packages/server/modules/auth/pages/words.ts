import type { FaultKind } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Rejection } from "../passwords/policy.ts";
import type { Role } from "../users/schema.ts";

/** The texts of the pages behind mailed links. */
export interface PageWords {
  reset: { title: string; lead: string; password: string; button: string; done: string };
  confirm: { title: string; lead: (email: string) => string; button: string };
  invitation: {
    title: string;
    lead: (invited: { inviter: string; title: string; role: Role }) => string;
    email: string;
    password: string;
    signUp: string;
    signIn: string;
    done: string;
    bound: (hint: string) => string;
    signUpOnly: string;
    toConfirm: string;
  };
  /** The rule for a new password. */
  rule: { short: (lengthMin: number) => string } & Record<Exclude<Rejection, "short">, string>;
  /** Why a new password is rejected. */
  rejected: Record<Rejection, (lengthMin: number) => string>;
  code: { label: string; hint: string };
  faults: Partial<Record<FaultKind, string>> & { other: string };
  /** Sign-ups have been closed since the page was opened. */
  closed: string;
  tooMany: (minutes: number) => string;
}

const enRoles = { owner: "owner", editor: "editor", viewer: "viewer", auditor: "auditor" };
const frRoles = {
  owner: "propriétaire",
  editor: "éditeur",
  viewer: "lecteur",
  auditor: "auditeur",
};

export const pageWords: Record<MailLanguage, PageWords> = {
  en: {
    reset: {
      title: "Choose a new password",
      lead: "This ends all sessions and revokes all API keys.",
      password: "New password",
      button: "Set the password",
      done: "Your password is set. You can sign in with it now.",
    },
    confirm: {
      title: "Confirm your e-mail address",
      lead: (email) =>
        `An account was created with the address ${email}. If it was not you, close this page. The address then stays unconfirmed.`,
      button: "Confirm my address",
    },
    invitation: {
      title: "You are invited",
      lead: ({ inviter, title, role }) =>
        `${inviter} invites you to work on “${title}” as ${enRoles[role]}.`,
      email: "E-mail address",
      password: "Password",
      signUp: "Create an account and accept",
      signIn: "Sign in and accept",
      done: "You have accepted the invitation. You can sign in now.",
      bound: (hint) => `Only an account with the address ${hint} can accept, once it is confirmed.`,
      signUpOnly: "Create an account",
      toConfirm:
        "Your account was created. Confirm your e-mail address by the link that was sent to it, then open the link of the invitation again to accept.",
    },
    rule: {
      short: (lengthMin) => `Use at least ${lengthMin} characters.`,
      common: "Do not use one of the most common passwords.",
      context: "Do not just use your names or those of this service.",
      breached: "Do not use a password from a known data breach.",
    },
    rejected: {
      short: (lengthMin) =>
        `Please choose at least ${lengthMin} characters. A sentence works well.`,
      common: () => "This is one of the most common passwords. Please choose another.",
      context: () =>
        "This consists mostly of your names or those of this service. Please choose another.",
      breached: () => "This password was found in a data breach. Please choose another.",
    },
    code: {
      label: "Second-factor code",
      hint: "Six digits from your authenticator app, or one of your recovery codes.",
    },
    faults: {
      "wrong-credentials": "The address or the password is wrong.",
      "code-needed": "Your account has a second factor. Enter your password again, with a code.",
      "wrong-code":
        "The code is wrong or already used. Enter your password again, with another code.",
      forbidden:
        "This invitation is for another address, or your address is not confirmed yet. Confirm it, then sign in to accept.",
      impossible: "This invitation is for another address.",
      conflict: "This address already has an account. Sign in to accept.",
      invalid: "Please fill in both fields.",
      other: "This did not work. Please try again in a moment.",
    },
    closed: "Sign-ups are closed. Sign in with an account that you already have.",
    tooMany: (minutes) =>
      `Too many attempts for this account or from your network. Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  },
  fr: {
    reset: {
      title: "Choisissez un nouveau mot de passe",
      lead: "Cela met fin à toutes les sessions et révoque toutes les clés d’API.",
      password: "Nouveau mot de passe",
      button: "Enregistrer le mot de passe",
      done: "Votre mot de passe est enregistré. Vous pouvez vous connecter.",
    },
    confirm: {
      title: "Confirmez votre adresse e-mail",
      lead: (email) =>
        `Un compte a été créé avec l’adresse ${email}. Si ce n’était pas vous, fermez cette page. L’adresse ne sera pas confirmée.`,
      button: "Confirmer mon adresse",
    },
    invitation: {
      title: "Vous avez reçu une invitation",
      lead: ({ inviter, title, role }) =>
        `${inviter} vous invite à travailler sur « ${title} » (${frRoles[role]}).`,
      email: "Adresse e-mail",
      password: "Mot de passe",
      signUp: "Créer un compte et accepter",
      signIn: "Se connecter et accepter",
      done: "Vous avez accepté l’invitation. Vous pouvez vous connecter.",
      bound: (hint) => `Seul un compte dont l’adresse confirmée est ${hint} peut accepter.`,
      signUpOnly: "Créer un compte",
      toConfirm:
        "Votre compte est créé. Confirmez votre adresse e-mail avec le lien qui y a été envoyé, puis ouvrez de nouveau le lien de l’invitation pour accepter.",
    },
    rule: {
      short: (lengthMin) => `Utilisez au moins ${lengthMin} caractères.`,
      common: "N’utilisez pas l’un des mots de passe les plus courants.",
      context: "N’utilisez pas seulement vos noms ou ceux de ce service.",
      breached: "N’utilisez pas un mot de passe issu d’une fuite de données connue.",
    },
    rejected: {
      short: (lengthMin) =>
        `Choisissez au moins ${lengthMin} caractères. Une phrase convient bien.`,
      common: () => "C’est l’un des mots de passe les plus courants. Choisissez-en un autre.",
      context: () =>
        "Ce mot de passe se réduit à vos noms ou à ceux de ce service. Choisissez-en un autre.",
      breached: () => "Ce mot de passe apparaît dans une fuite de données. Choisissez-en un autre.",
    },
    code: {
      label: "Code du second facteur",
      hint: "Les six chiffres de votre application d’authentification, ou un de vos codes de secours.",
    },
    faults: {
      "wrong-credentials": "L’adresse ou le mot de passe est incorrect.",
      "code-needed":
        "Votre compte a un second facteur. Saisissez de nouveau votre mot de passe, avec un code.",
      "wrong-code":
        "Ce code est incorrect ou déjà utilisé. Saisissez de nouveau votre mot de passe, avec un autre code.",
      forbidden:
        "Cette invitation est pour une autre adresse, ou votre adresse n’est pas encore confirmée. Confirmez-la, puis connectez-vous pour accepter.",
      impossible: "Cette invitation est pour une autre adresse.",
      conflict: "Cette adresse a déjà un compte. Connectez-vous pour accepter.",
      invalid: "Veuillez remplir les deux champs.",
      other: "Cela n’a pas fonctionné. Veuillez réessayer dans un instant.",
    },
    closed: "Les inscriptions sont fermées. Connectez-vous avec un compte existant.",
    tooMany: (minutes) =>
      `Trop de tentatives pour ce compte ou depuis votre réseau. Veuillez réessayer dans ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  },
};
