import type { TcfWords } from "./en.ts";

/** What is said in French of the partners of IAB's framework. */
export const fr: TcfWords = {
  title: "Partenaires du TCF",
  lead: "Demandés par cette mise en page, avec les mots mêmes de l’IAB Europe. Ce sont les mêmes pour tous les bandeaux du projet.",
  count: (count) => (count === 1 ? "1 partenaire" : `${count} partenaires`),
  none: "Aucun partenaire n’est choisi : cette mise en page n’est pas publiée sans.",
  noList:
    "Ce service n’a pas de liste de fournisseurs de l’IAB. Son opérateur renseigne TCF_VENDOR_LIST ; d’ici là, on ne peut pas choisir de partenaires.",
  choose: "Choisir des partenaires",
  pick: "Partenaires de la liste de l’IAB",
  search: "Chercher par nom ou par numéro",
  nothing: "Aucun fournisseur de la liste ne porte ce nom.",
  more: (count) => `et ${count} autres : cherchez-les`,
  take: (count) => (count === 1 ? "Prendre 1 partenaire" : `Prendre ${count} partenaires`),
  consent: (purposes) => `Finalités ${purposes}`,
  interest: (purposes) => `intérêt légitime pour ${purposes}`,
  policy: "Politique",
  remove: (name) => `Retirer ${name}`,
  struck: (id) => `Fournisseur ${id}, qui n’est plus dans la liste`,
  cmp: "Numéro de CMP",
  cmpHint: "Sous lequel l’IAB Europe a enregistré qui opère ce service, de 2 à 4095.",
  country: "Pays de l’éditeur du site",
  countryHint: "Deux lettres, par exemple FR.",
  save: "Enregistrer",
  saved: "Enregistré.",
  wrongCmp: "Écrivez un nombre de 2 à 4095.",
  wrongCountry: "Écrivez deux lettres.",
};
