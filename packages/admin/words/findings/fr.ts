import type { Finding } from "@avow/client/operations";

/** The message of a finding, and how to fix it. */
export interface FindingText {
  message: string;
  fix: string;
}

type Say = (about: readonly string[], finding: Pick<Finding, "path">) => FindingText;

const say =
  (message: (about: readonly string[], path: string) => string, fix: string): Say =>
  (about, { path }) => ({ message: message(about, path), fix });

const q = (text = ""): string => `«\u00a0${text}\u00a0»`;
const quoted =
  (after: string) =>
  ([name]: readonly string[]): string =>
    `${q(name)} ${after}`;

/** French messages by rule of the publish check. */
export const findingsFr: Readonly<Record<string, Say>> = {
  "refuse-missing": ([both]) =>
    both === undefined
      ? {
          message: "Le bouton qui refuse n’a pas de texte.",
          fix: "Retirez-le pour avoir le texte du widget, ou écrivez ce qu’il fait.",
        }
      : {
          message: `Les boutons qui refusent et acceptent disent tous deux ${q(both)}.`,
          fix: "Dites sur chacun ce qu’il fait.",
        },
  "pre-ticked": ([name, field]) => ({
    message: `${q(name)} est choisi avant que quiconque ne l’ait choisi.`,
    fix: `Retirez ${q(field)}. Le widget montre tout éteint tant que personne ne l’allume.`,
  }),
  "not-necessary": say(
    ([name, why]) =>
      `${q(name)} est toujours actif, et sert à ${q(why)}, ce qui demande un consentement.`,
    "Demandez-le aux visiteurs : retirez « required », ou ce à quoi il sert.",
  ),
  "asked-too-seldom": say(
    ([days]) =>
      `Les réponses valent ${days} jours${Number(days) > 395 ? ", plus de treize mois" : ""}.`,
    "180 jours font six mois.",
  ),
  "asked-too-often": say(
    ([days]) =>
      `Les personnes qui ont refusé sont sollicitées de nouveau après ${days} ${days === "1" ? "jour" : "jours"}.`,
    "180 jours font six mois.",
  ),
  "no-way-back": say(
    () => "Le bouton par lequel les visiteurs reviennent à leurs choix n’est pas montré.",
    "Mettez sur chaque page un lien à vous, avec data-avow-open, ou montrez le bouton.",
  ),
  "unknown-button": say(
    ([text]) => `Le bouton ${q(text)} refuse : sa valeur n’est aucune de celles qui acceptent.`,
    "Donnez la valeur true à ce qui accepte, et false à ce qui refuse.",
  ),
  "unclear-vendor": say(
    ([name]) => `Rien ne dit ce que fait ${q(name)}.`,
    "Décrivez en une phrase ce que ce service fait des données du visiteur.",
  ),
  "refuse-unclear": say(
    quoted("ne semble pas dire que l’on refuse."),
    "Dites ce que fait un clic, par exemple « Tout refuser » ; laissez ainsi si les visiteurs de votre langue le comprennent.",
  ),
  steering: say(
    quoted("joue sur les sentiments."),
    "Dites ce qu’il advient des données, et ce que fait un clic, sans louange ni reproche.",
  ),
  "cookie-wall": say(
    quoted("fait de l’acceptation une condition, ou prend autre chose pour elle."),
    "Laissez entrer les visiteurs quelle que soit leur réponse, et ne comptez pour réponse qu’un clic.",
  ),
  "vendor-policy": say(
    quoted("n’a pas de politique de confidentialité."),
    "Mettez un lien https vers la politique de qui reçoit les données.",
  ),
  controller: say(
    () => "Rien ne dit qui est responsable des données.",
    "Remplissez « DPO » du projet : l’organisation, l’adresse, et comment joindre son délégué.",
  ),
  "banner-controller": say(
    () => "Rien ne dit qui est responsable des données.",
    "Remplissez « DPO » du projet : l’organisation, l’adresse, et comment joindre son délégué.",
  ),
  "processing-purpose": say(
    quoted("ne dit pas à quoi servent les données."),
    "Remplissez la finalité.",
  ),
  "processing-storage-duration": say(
    quoted("ne dit pas combien de temps les données sont gardées."),
    "Remplissez la durée de conservation.",
  ),
  "processing-consent-withdraw": say(
    quoted("ne dit pas comment retirer le consentement."),
    "Remplissez comment le retirer.",
  ),
  "processing-recipients": say(
    quoted("ne nomme personne qui reçoive les données."),
    "Nommez les destinataires ; laissez ainsi s’il n’y en a pas.",
  ),
  "contract-file": say(
    quoted("n’a rien à lire."),
    "Choisissez le document, ou donnez son adresse https.",
  ),
  language: say(
    ([name]) => `Rien ne dit dans quelle langue est ${q(name)}.`,
    "Donnez-lui une langue (BCP 47), par exemple « fr » : les lecteurs d’écran en dépendent, et le choix entre plusieurs.",
  ),
  translation: say(
    ([wanted], path) =>
      `Les visiteurs utilisent la langue ${q(wanted)}, mais ${path === "/cookies" ? "aucun bandeau" : "aucun formulaire"} n’est dans cette langue.`,
    "Créez-en un dans cette langue ; laissez ainsi si rien n’est affiché sur ces pages.",
  ),
  "empty-step": say(
    ([name]) => `L’étape ${q(name)} ne dit rien.`,
    "Écrivez ce qui est demandé aux visiteurs, ou retirez l’étape.",
  ),
  contrast: ([ratio, least], { path }) => ({
    message: `${path.endsWith("/title") ? "Les titres ont" : "Le texte a"} un contraste de ${ratio} pour 1 avec le fond.`,
    fix: `Choisissez une couleur d’au moins ${least} pour 1 ; d’ici là le widget en prend une autre.`,
  }),
  "button-contrast": ([ratio, least]) => ({
    message: `Les boutons ont un contraste de ${ratio} pour 1 avec le fond.`,
    fix: `Choisissez une couleur d’au moins ${least} pour 1 ; d’ici là le widget en prend une autre.`,
  }),
  "unknown-color": say(
    quoted("n’est pas une couleur : elle est laissée de côté."),
    "Écrivez-la comme en CSS, par exemple #1f6feb.",
  ),
  "insecure-link": say(
    ([address]) => `${address} n’est pas en https.`,
    "Mettez un lien https, pour que personne en chemin ne change ce qui est dit aux visiteurs.",
  ),
  "picture-elsewhere": say(
    ([host]) => `Chaque visiteur demande une image à ${host}, avant toute réponse.`,
    "Gardez l’image chez vous : choisissez-la parmi vos fichiers.",
  ),
  "missing-picture": say(
    ([id]) => `L’image ${id} n’existe plus, ou n’est pas une image : elle est laissée de côté.`,
    "Choisissez-en une autre, ou retirez-la.",
  ),
  plan: say(
    () => "L’offre du projet ne permet pas tout ce qui serait publié.",
    "Modifiez le projet, ou changez d’offre.",
  ),
};
