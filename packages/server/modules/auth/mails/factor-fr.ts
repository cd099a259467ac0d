import type { FactorLetter, Worded } from "./letters.ts";

const notYou =
  "Sinon, quelqu’un d’autre a peut-être accès à votre compte : choisissez un nouveau mot de passe maintenant, ce qui met fin à toutes les sessions et aux clés d’API, et prévenez la personne qui gère le service.";

/** What mails about a second factor say. */
export function toFactorWords(letter: FactorLetter): Worded {
  const { subject, text } = toTexts(letter);
  return { subject, lines: [text, `Si c’était vous, il n’y a rien à faire. ${notYou}`], notes: [] };
}

function toTexts(letter: FactorLetter): { subject: string; text: string } {
  switch (letter.kind) {
    case "factor-added":
      return {
        subject: "Un second facteur a été ajouté",
        text: "Se connecter à votre compte demande désormais un code de votre application d’authentification. Gardez les codes de secours là où vous les trouverez sans elle.",
      };
    case "factor-removed":
      return {
        subject: "Votre second facteur a été retiré",
        text:
          letter.by === "operator"
            ? "La personne qui gère le service a retiré le second facteur de votre compte. La connexion ne demande plus de code ; vous pouvez en ajouter un autre."
            : "Le second facteur de votre compte a été retiré, avec ses codes de secours. La connexion ne demande plus de code.",
      };
    case "recovery-codes-made":
      return {
        subject: "De nouveaux codes de secours ont été créés",
        text: "De nouveaux codes de secours ont été créés pour votre compte. Les précédents ne fonctionnent plus.",
      };
    default:
      return {
        subject: "Un code de secours a été utilisé",
        text: `Un code de secours a été utilisé à la place d’un code de votre application d’authentification. Il ne fonctionne plus ; ${toLeft(letter.left)}`,
      };
  }
}

function toLeft(left: number): string {
  if (left === 0) return "il n’en reste aucun. Créez-en d’autres sur la page de votre compte.";
  return left === 1
    ? "il en reste un. Créez-en d’autres sur la page de votre compte."
    : `il en reste ${left}.`;
}
