import type { Finding } from "@avow/client/operations";

/** A problem and its fix. */
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
          message: "Le bouton de refus n’a pas de texte.",
          fix: "Supprimez ce texte pour garder celui par défaut, ou indiquez ce que fait le bouton.",
        }
      : {
          message: `Les boutons de refus et d’acceptation portent tous deux le texte ${q(both)}.`,
          fix: "Donnez à chaque bouton un texte qui dit ce qu’il fait.",
        },
  "pre-ticked": ([name, field]) => ({
    message: `${q(name)} est sélectionné d’avance.`,
    fix: `Retirez ${q(field)}. Dans le widget, tout est désactivé jusqu’au choix du visiteur.`,
  }),
  "not-necessary": say(
    ([name, why]) =>
      `${q(name)} est toujours actif, mais sert à ${q(why)}, ce qui exige un consentement.`,
    "Retirez « required » pour que les visiteurs soient consultés, ou retirez cet usage.",
  ),
  "asked-too-seldom": say(
    ([days]) =>
      `Les réponses sont valables ${days} jours${Number(days) > 395 ? ", plus de treize mois" : ""}.`,
    "Choisissez 180 jours, soit six mois.",
  ),
  "asked-too-often": say(
    ([days]) =>
      `Les visiteurs qui ont refusé sont sollicités de nouveau après ${days} ${days === "1" ? "jour" : "jours"}.`,
    "Choisissez 180 jours, soit six mois.",
  ),
  "no-way-back": say(
    () => "Le bouton qui rouvre les réglages des cookies est masqué.",
    "Ajoutez à chaque page un lien avec data-avow-open, ou affichez le bouton.",
  ),
  "unknown-button": say(
    ([text]) => `Le bouton ${q(text)} refuse, car sa valeur n’est pas une valeur d’acceptation.`,
    "Donnez la valeur true aux boutons qui acceptent, et false à ceux qui refusent.",
  ),
  "unclear-vendor": say(
    ([name]) => `${q(name)} n’a pas de description.`,
    "Décrivez en une phrase ce que ce service fait des données du visiteur.",
  ),
  "region-opt-in-required": say(
    ([regions, model]) =>
      `Le consentement des visiteurs de ${regions} n’est pas demandé : le modèle est ${q(model)}.`,
    "Ajoutez une règle avec le modèle « opt-in » pour ces régions.",
  ),
  "region-opt-out-required": say(
    ([regions, model]) =>
      `Les visiteurs de ${regions} ne peuvent pas s’opposer : le modèle est ${q(model)}.`,
    "Ajoutez une règle avec le modèle « opt-out » pour ces régions.",
  ),
  "region-opt-in-default": say(
    ([vendor]) => `${q(vendor)} s’exécute par défaut, bien que le modèle soit « opt-in ».`,
    "Supprimez cette valeur par défaut, ou choisissez un autre modèle.",
  ),
  "region-twice": say(
    ([regions]) => `Une règle précédente s’applique déjà à ${regions}.`,
    "Supprimez la région de l’une des règles.",
  ),
  "region-rest": say(
    () => "Aucune règle ne s’applique aux autres régions : le consentement y est demandé.",
    "Ajoutez une règle pour « * ».",
  ),
  "region-unknown-vendor": say(
    ([vendor]) => `La configuration n’a pas de service ${q(vendor)}.`,
    "Supprimez cette valeur par défaut, ou ajoutez le service.",
  ),
  "variant-unknown": say(
    ([name]) => `La variante n’est jamais affichée, car il n’y a pas de configuration ${q(name)}.`,
    "Saisissez le nom d’une configuration qui n’est pas elle-même une variante.",
  ),
  "variant-differs": say(
    ([name]) => `La variante a une autre langue ou d’autres services que ${q(name)}.`,
    "Utilisez la même langue et les mêmes services dans les deux.",
  ),
  "refuse-unclear": say(
    quoted("ne dit pas clairement que l’on refuse."),
    "Dites ce que fait un clic, par exemple « Tout refuser ». Ignorez ce message si ce texte est clair dans votre langue.",
  ),
  steering: say(
    quoted("exerce une pression émotionnelle."),
    "Dites ce que deviennent les données et ce que fait un clic, sans éloge ni reproche.",
  ),
  "cookie-wall": say(
    quoted("fait de l’acceptation une condition, ou assimile autre chose à une acceptation."),
    "Donnez accès quelle que soit la réponse, et ne considérez qu’un clic comme une réponse.",
  ),
  "unknown-vendor": say(
    ([id]) =>
      `Le service ${q(id)} est inconnu ici : les visiteurs ne peuvent pas en être informés.`,
    "Remplacez-le, ou donnez-lui un nom et un titre.",
  ),
  "vendor-policy": say(
    quoted("n’a pas de politique de confidentialité."),
    "Ajoutez un lien https vers la politique de confidentialité du destinataire.",
  ),
  controller: say(
    () => "Le responsable du traitement n’est pas indiqué.",
    "Complétez « DPO » dans le projet : l’organisation, son adresse et le contact de son délégué à la protection des données.",
  ),
  "banner-controller": say(
    () => "Le responsable du traitement n’est pas indiqué.",
    "Complétez « DPO » dans le projet : l’organisation, son adresse et le contact de son délégué à la protection des données.",
  ),
  "processing-purpose": say(
    quoted("ne dit pas à quoi servent les données."),
    "Indiquez la finalité.",
  ),
  "processing-storage-duration": say(
    quoted("ne dit pas combien de temps les données sont conservées."),
    "Indiquez la durée de conservation.",
  ),
  "processing-consent-withdraw": say(
    quoted("ne dit pas comment retirer le consentement."),
    "Indiquez comment le retirer.",
  ),
  "processing-recipients": say(
    quoted("n’indique aucun destinataire des données."),
    "Indiquez les destinataires, ou ignorez ce message s’il n’y en a pas.",
  ),
  "contract-file": say(
    quoted("n’a pas de document."),
    "Choisissez le document, ou donnez son adresse https.",
  ),
  language: say(
    ([name]) => `${q(name)} n’a pas de langue.`,
    "Indiquez sa langue (BCP 47), par exemple « fr ». Les lecteurs d’écran et le choix d’une configuration en dépendent.",
  ),
  translation: say(
    ([wanted], path) =>
      `${path === "/cookies" ? "Aucun bandeau" : "Aucun formulaire"} n’est en ${q(wanted)}, une langue du site.`,
    "Ajoutez-en dans cette langue, ou ignorez ce message si rien ne s’affiche sur ces pages.",
  ),
  "empty-step": say(
    ([name]) => `L’étape ${q(name)} n’a ni texte ni service.`,
    "Écrivez ce qui est demandé aux visiteurs, ou supprimez l’étape.",
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
    quoted("n’est pas une couleur et est ignoré."),
    "Utilisez la notation CSS, par exemple #1f6feb.",
  ),
  "insecure-link": say(
    ([address]) => `${address} n’utilise pas https.`,
    "Utilisez https, pour que personne ne puisse modifier la page en chemin.",
  ),
  "picture-elsewhere": say(
    ([host]) => `Chaque visiteur charge une image de ${host} avant toute réponse.`,
    "Ajoutez l’image à vos fichiers, ou hébergez-la sur le site.",
  ),
  "missing-picture": say(
    ([id]) => `L’image ${id} n’existe pas ou n’est pas une image, et est omise.`,
    "Choisissez-en une autre, ou retirez-la.",
  ),
  "imported-vendor": say(
    ([tool, name]) =>
      `Les réponses données à ${tool} valent pour le service ${q(name)}, que cette configuration ne demande pas.`,
    "Corrigez le nom du service, ou retirez-le de l’import.",
  ),
  plan: say(
    () => "L’offre du projet ne permet pas tout ce qui serait publié.",
    "Modifiez le projet ou changez d’offre.",
  ),
};
