import type { Words } from "./en.ts";

const format = (count: number): string => count.toLocaleString("fr");

/** What a dossier says to people, in French. */
export const fr: Words = {
  lang: "fr",
  title: "Dossier de consentements",
  colon: " :",
  lead: [
    "Consentements donnés ou refusés sur « ",
    " », chacun avec sa preuve. Les preuves se vérifient sur n’importe quel ordinateur, sans réseau, et sans faire confiance au service qui a produit ce fichier.",
  ],
  number: format,
  consents: (count) => `${format(count)} consentement${count > 1 ? "s" : ""}`,

  provenOf: (proven, all) => `${proven} sur ${all}`,

  facts: {
    project: "Projet",
    holds: "Contenu",
    period: "Période",
    seed: "Graine de l’échantillon",
    askedBy: "Demandé par",
    askedAt: "Demandé le",
    count: "Consentements",
    proven: "Avec une preuve",
    pending: "Encore sans preuve",
    log: "Registre",
    erased: "Effacé du projet à ce jour",
    tree: "Entrées du registre",
    signedAt: "Registre signé le",
  },
  erased: (records, erasures, isMore) =>
    `${records} enregistrements lors ${isMore ? "des derniers " : "de "}${erasures} effacements, chacun une entrée du registre : ils ne sont pas ici`,
  holds: {
    person: (token) => `Tous les consentements d’une personne, connue sous ${token}`,
    period: "Tous les consentements de la période",
    sample: (size, population) =>
      `Un échantillon aléatoire : ${size} des ${population} consentements de la période`,
  },
  from: "depuis le premier",
  until: (instant) => `jusqu’au ${instant}`,
  since: (instant) => `à partir du ${instant}`,

  chosen: {
    title: "Comment ces consentements ont été choisis",
    person:
      "Ce sont tous les enregistrements conservés sous ce jeton pendant la période, refus et retraits compris. Un jeton est un pseudonyme : qu’il désigne une certaine personne doit être montré par d’autres moyens.",
    period:
      "Ce sont tous les enregistrements du projet pendant la période, refus et retraits compris.",
    sample: (size, population) =>
      `Pour chacun des ${population} enregistrements de la période, on a calculé le SHA-256 du texte « graine:consentement », la graine et le numéro du consentement séparés par deux-points. Les ${size} enregistrements dont le résultat est le plus petit forment l’échantillon : chacun avait la même chance. Qui a les numéros de tous les consentements (un export) peut refaire le tirage, et la même graine tire les mêmes.`,
    ownSeed:
      "La graine a été tirée au hasard par le service. Un auditeur qui ne veut pas s’y fier donne la sienne.",
    givenSeed:
      "La graine a été donnée par le demandeur. Un échantillon n’est loyal envers le lecteur que si la graine n’a pas été essayée auparavant : laissez le lecteur la choisir.",
    basis:
      "Parmi quels enregistrements on a choisi, c’est la base de données du service qui le dit. Le registre montre qu’aucun n’a changé depuis qu’il y est entré : ceux que le service a reçus lui-même y entrent aussitôt, ceux qui ont été importés quand leur fichier l’a été, et leur date est celle que ce fichier donne. Comme rien dans ses entrées ne dit de qui elles viennent, il ne montre pas à lui seul qu’aucun n’a été omis.",
  },

  table: {
    title: "Les consentements",
    time: "Date (UTC)",
    person: "Personne (jeton)",
    what: "Demande",
    answer: "Réponse",
    grade: "Mode de réception",
    version: "Version montrée",
    files: "Fichiers",
    proof: "Preuve",
    pending: "Attend sa place dans le registre : pas encore de preuve",
    unproven: "Non prouvé : modifié après que le registre en a eu connaissance",
    withdrawnNote:
      "« Retiré » est un refus après un consentement antérieur, d’après les données du service ; l’enregistrement, et donc sa preuve, dit refusé.",
    none: "Il n’y en a pas.",
    page: "Page",
    unpublished: "Aucune n’était en ligne",
  },
  pending: (count) =>
    `Le registre n’avait pas encore de place pour certains de ces enregistrements, tant ils sont récents : ${count}. Ils n’ont pas de preuve ici ; redemandez le dossier dans une minute.`,
  accept: { true: "Accepté", false: "Refusé" },
  answers: { accepted: "Accepté", refused: "Refusé", withdrawn: "Retiré" },
  grades: {
    server: "Par un serveur authentifié",
    ticketed: "Par un navigateur qui avait un ticket d’affichage",
    browser: "Par un navigateur",
    imported: "Importé : date et réponses d’après le fichier",
  },
  collections: {
    cookies: "Cookies",
    processings: "Traitement de données personnelles",
    contracts: "Contrat",
  },

  shown: {
    title: "Ce qui a été montré",
    lead: "Les textes publiés auxquels ces consentements répondent, tels qu’ils ont été publiés. Chaque fichier ci-dessous est conservé sous son SHA-256, que le registre engage.",
    version: (version, instant) => `Version ${version}, publiée le ${instant}`,
    file: "Le fichier publié en entier",
    cut: "La suite est dans le fichier publié.",
    none: "Aucun de ces consentements ne nomme de version publiée.",
    gone: "Cette configuration n’est pas dans le fichier publié.",
  },

  check: {
    title: "Comment vérifier",
    key: "Procurez-vous la clé du registre ailleurs que dans ce fichier : le contrat, le site de l’exploitant, vos archives. Ce doit être celle que ce registre nomme comme la sienne :",
    page: "Ouvrez verifier.html, donnez-lui la clé, et déposez-y des fichiers du dossier proofs. Cela fonctionne depuis un disque, sans réseau.",
    pageLink: "Ouvrir verifier.html",
    command: "Ou vérifiez-les tous d’un coup en ligne de commande :",
    sums: "Si un fichier a été abîmé en route, SHA256SUMS le dit, mais cela ne prouve rien contre quelqu’un qui le réécrit :",
    kept: "Si vous avez gardé un point de contrôle plus ancien du registre, donnez-le aussi : cela montre que rien n’a été réécrit depuis.",
  },
  limits: {
    title: "Ce que cela ne prouve pas",
    items: [
      "Qu’un jeton désigne une certaine personne, ou que la personne a voulu ce qui a été envoyé : on peut faire envoyer n’importe quoi à un navigateur.",
      "Qu’un enregistrement était vrai quand il a été fait. Il est prouvé qu’il était dans le registre au moment où celui-ci a été signé, et qu’il n’a pas changé depuis.",
      "Que ce sont tous les enregistrements qu’il y a jamais eu : voyez comment ils ont été choisis.",
      "Ce que disent index.html, consents.csv et README.txt à côté des preuves. Ils en sont tirés pour la lecture ; ce qui compte est le fichier de chaque preuve.",
    ],
  },
  files: {
    title: "Ce que contient cette archive",
    items: {
      "index.html": "La page à lire, pour les personnes",
      "consents.csv": "Les mêmes consentements en tableau",
      "proofs/":
        "Pour chaque consentement : son enregistrement, son sel, sa place dans le registre signé et la version montrée",
      "versions/": "Les fichiers publiés, chacun sous son SHA-256",
      "log/checkpoint.txt": "L’arbre signé auquel se rattachent toutes les preuves. À garder",
      "log/keys.txt": "Les clés du registre, telles qu’il les nomme lui-même",
      "verifier.html": "Vérifie des preuves dans un navigateur",
      "manifest.json": "Ce qui a été demandé, et chaque fichier avec sa longueur et son SHA-256",
      SHA256SUMS: "Le SHA-256 de chaque fichier, comme sha256sum le lit",
    },
    trail: {
      "audit.ndjson":
        "Qui a changé quoi dans le projet pendant la période, une ligne par fait. Tel que le service le dit, et non prouvé",
    },
    stamped: {
      "log/timestamp.tsr":
        "L’horodatage (RFC 3161) du registre, tel qu’il était alors, par une autorité. openssl ts -verify le vérifie",
      "log/timestamp.txt": "L’arbre signé que l’autorité a horodaté",
      "log/timestamp-consistency.json":
        "Prouve que l’arbre des preuves prolonge celui qui a été horodaté",
    },
  },
  footer: "Produit par Avow.",
};
