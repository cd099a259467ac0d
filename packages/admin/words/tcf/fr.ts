import type { TcfWords } from "./en.ts";

export const fr: TcfWords = {
  title: "Partenaires du TCF",
  lead: "Cette mise en page demande le consentement pour ces partenaires, avec le texte même de l’IAB Europe. Ce sont les mêmes pour tous les bandeaux du projet.",
  count: (count) => (count === 1 ? "1 partenaire" : `${count} partenaires`),
  none: "Aucun partenaire n’est sélectionné. Cette mise en page ne peut pas être publiée sans partenaire.",
  noList:
    "Ce service n’a pas de liste de fournisseurs de l’IAB. On ne peut pas sélectionner de partenaires tant que son exploitant n’a pas renseigné TCF_VENDOR_LIST.",
  choose: "Choisir des partenaires",
  pick: "Partenaires de la liste de l’IAB",
  search: "Rechercher par nom ou par numéro",
  nothing: "Aucun fournisseur de la liste ne porte ce nom.",
  more: (count) => `et ${count} autres : recherchez-les`,
  take: (count) => (count === 1 ? "Utiliser 1 partenaire" : `Utiliser ${count} partenaires`),
  consent: (purposes) => `Finalités ${purposes}`,
  interest: (purposes) => `intérêt légitime pour ${purposes}`,
  policy: "Politique",
  remove: (name) => `Retirer ${name}`,
  struck: (id) => `Fournisseur ${id}, qui n’est plus dans la liste`,
  cmp: "Identifiant de CMP",
  cmpHint:
    "L’identifiant sous lequel l’exploitant de ce service est enregistré auprès de l’IAB Europe, de 2 à 4095.",
  country: "Pays de l’éditeur du site",
  countryHint: "Deux lettres, par exemple FR.",
  save: "Enregistrer",
  saved: "Enregistré.",
  wrongCmp: "Saisissez un nombre de 2 à 4095.",
  wrongCountry: "Saisissez deux lettres.",
};
