import type { BulkWords } from "./en.ts";

const columns = "title, websiteURL, groups, organization, template";

export const fr: BulkWords = {
  title: "Projets à partir d’un tableau",
  lead: "Un projet par ligne d’un fichier CSV. Chaque ligne est vérifiée avant toute écriture.",
  table: "Tableau",
  tableLead: `La première ligne nomme les colonnes : ${columns}. Seule websiteURL est obligatoire. 500 lignes au maximum.`,
  file: "Fichier CSV",
  text: "Ou son texte",
  textHint:
    "Collez des lignes ou déposez un fichier ici. Séparez les groupes par |. Organisations et modèles sont désignés par leur titre ou leur identifiant.",
  notUtf8: "Le fichier n’est pas en UTF-8. Enregistrez-le en « CSV UTF-8 ».",
  check: "Vérifier le tableau",
  rows: (count) => (count === 1 ? "1 ligne" : `${count} lignes`),
  summary: ({ wanted, invalid }) =>
    `${wanted} à créer, ${invalid} non valide${invalid > 1 ? "s" : ""}. Rien n’est publié.`,
  withExisting: "Créer aussi les lignes dont l’adresse a déjà un projet",
  withExistingHint: "Sinon, elles sont laissées de côté.",
  create: (count) => (count === 1 ? "Créer 1 projet" : `Créer ${count} projets`),
  cancel: "Annuler",
  progress: "Avancement de la création",
  creating: (done, all) => `${done} lignes traitées sur ${all}…`,
  done: ({ created, failed }) => `${created} créés, ${failed} en échec.`,
  saveFailed: (count) =>
    count === 1
      ? "Enregistrer 1 ligne en échec (CSV)"
      : `Enregistrer ${count} lignes en échec (CSV)`,
  columns: {
    site: "Site",
    groups: "Groupes",
    organization: "Organisation",
    template: "Modèle",
    state: "État",
  },
  line: (line) => `Ligne ${line}`,
  atLine: (line, text) => `Ligne ${line} : ${text}`,
  states: {
    ready: "Prête",
    invalid: "Non valide",
    existing: "A déjà un projet",
    created: "Créé",
    failed: "Échec",
    open: "Ouvrir",
  },
  tableFault: (fault) => {
    switch (fault.code) {
      case "empty":
        return "Le tableau n’a aucune ligne. Ajoutez-en une par site sous l’en-tête.";
      case "too long":
        return "Le tableau dépasse un million de caractères.";
      case "too many rows":
        return `Le tableau a plus de ${fault.max} lignes. Divisez-le.`;
      case "no address column":
        return `La première ligne n’a pas de colonne websiteURL. Les colonnes sont ${columns}.`;
      case "unknown column":
        return `La colonne « ${fault.name} » est inconnue. Les colonnes sont ${columns}.`;
      case "repeated column":
        return `La colonne « ${fault.name} » figure deux fois.`;
      case "too many cells":
        return `La ligne ${fault.line} a plus de cellules que l’en-tête. Mettez entre guillemets les cellules qui contiennent un séparateur.`;
      default:
        return `La ligne ${fault.line} n’est pas du CSV valide : un guillemet n’est pas fermé, ou n’est pas doublé à l’intérieur d’une cellule.`;
    }
  },
  fault: (fault) => {
    switch (fault.code) {
      case "address missing":
        return "Indiquez une adresse.";
      case "address invalid":
        return "Ce n’est pas l’adresse d’un site.";
      case "title too long":
        return `Le titre a plus de ${fault.max} caractères.`;
      case "too many groups":
        return `Plus de ${fault.max} groupes.`;
      case "group too long":
        return `Un groupe a plus de ${fault.max} caractères.`;
      case "organization unknown":
        return `Vous n’avez pas d’organisation « ${fault.name} ».`;
      case "organization ambiguous":
        return `Plusieurs organisations s’appellent « ${fault.name} » : utilisez l’identifiant.`;
      case "template unknown":
        return `Vous n’avez pas de modèle « ${fault.name} ».`;
      case "template ambiguous":
        return `Plusieurs modèles s’appellent « ${fault.name} » : utilisez l’identifiant.`;
      default:
        return `La ligne ${fault.line} a la même adresse.`;
    }
  },
};
