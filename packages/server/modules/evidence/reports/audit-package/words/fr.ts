import type { Words } from "./en.ts";

const format = (count: number): string => count.toLocaleString("fr");

/** The texts of an audit package, in French. */
export const fr: Words = {
  lang: "fr",
  title: "Dossier d’audit des consentements",
  colon: " :",
  lead: [
    "Consentements donnés ou refusés sur « ",
    " », chacun avec sa preuve. Les preuves se vérifient sur n’importe quel ordinateur, hors ligne, sans devoir faire confiance au service qui a créé ce fichier.",
  ],
  number: format,
  consents: (count) => `${format(count)} consentement${count > 1 ? "s" : ""}`,

  provenOf: (proven, all) => `${proven} sur ${all}`,

  facts: {
    project: "Projet",
    holds: "Contenu",
    period: "Période",
    seed: "Graine de l’échantillon",
    requestedBy: "Demandé par",
    requestedAt: "Demandé le",
    count: "Consentements",
    proven: "Avec une preuve",
    pending: "Pas encore dans le journal",
    log: "Journal de transparence",
    erased: "Effacé du projet à ce jour",
    tree: "Entrées du journal",
    signedAt: "Point de contrôle signé le",
  },
  erased: (records, erasures, hasMore) =>
    `${records} enregistrements lors ${hasMore ? "des derniers " : "de "}${erasures} effacements, tous inscrits au journal. Ils ne figurent pas ici`,
  holds: {
    person: (token) => `Tous les consentements d’une personne, identifiée par le jeton ${token}`,
    period: "Tous les consentements de la période",
    sample: (size, population) =>
      `Un échantillon aléatoire : ${size} des ${population} consentements de la période`,
  },
  from: "depuis le premier",
  until: (instant) => `jusqu’au ${instant}`,
  since: (instant) => `à partir du ${instant}`,

  chosen: {
    title: "Comment ces consentements ont été sélectionnés",
    person:
      "Tous les enregistrements de ce jeton sur la période, refus et retraits compris. Un jeton est un pseudonyme : le rattacher à une personne demande d’autres éléments.",
    period: "Tous les enregistrements du projet sur la période, refus et retraits compris.",
    sample: (size, population) =>
      `Pour chacun des ${population} enregistrements de la période, on a calculé le SHA-256 du texte « graine:consentement » : la graine, deux-points et l’identifiant du consentement. Les ${size} enregistrements dont l’empreinte est la plus petite forment l’échantillon : tous avaient la même chance. Avec les identifiants de tous les consentements (un export), chacun peut refaire la sélection : la même graine donne le même échantillon.`,
    ownSeed:
      "Le service a tiré la graine au hasard. Un auditeur qui ne veut pas s’y fier peut fournir la sienne.",
    givenSeed:
      "La graine a été fournie par le demandeur. Un échantillon n’est impartial que si personne n’a essayé plusieurs graines : laissez l’auditeur la choisir.",
    basis:
      "La sélection repose sur la base de données du service. Le journal prouve qu’aucun enregistrement n’a été modifié depuis son ajout : ceux que le service a reçus sont ajoutés aussitôt, ceux qui ont été importés le sont au moment de l’import, avec la date indiquée dans le fichier. Les entrées du journal ne révèlent pas à quel projet elles appartiennent : à lui seul, il ne prouve pas qu’aucun enregistrement n’a été omis.",
  },

  table: {
    title: "Consentements",
    time: "Date (UTC)",
    person: "Personne (jeton)",
    what: "Configuration",
    answer: "Réponse",
    grade: "Mode de réception",
    version: "Version affichée",
    files: "Fichiers",
    proof: "Preuve",
    pending: "Pas encore dans le journal : preuve indisponible",
    unproven: "Non prouvé : modifié après son ajout au journal",
    withdrawnNote:
      "« Retiré » est un refus après un consentement antérieur, d’après la base de données du service ; l’enregistrement, et donc sa preuve, indique « refusé ».",
    none: "Aucun consentement.",
    page: "Page",
    unpublished: "Aucune version publiée",
  },
  pending: (count) =>
    `Certains de ces enregistrements sont trop récents pour figurer dans le journal : ${count}. Ils n’ont pas encore de preuve. Redemandez le dossier d’audit dans une minute.`,
  accept: { true: "Accepté", false: "Refusé" },
  answers: { accepted: "Accepté", refused: "Refusé", withdrawn: "Retiré" },
  grades: {
    server: "Par un serveur authentifié",
    ticketed: "Par un navigateur avec un ticket d’affichage",
    browser: "Par un navigateur",
    imported: "Importé\u00a0: d’un fichier, avec sa date, ou d’un autre outil de consentement",
  },
  collections: {
    cookies: "Cookies",
    processings: "Traitement de données personnelles",
    contracts: "Contrat",
  },

  shown: {
    title: "Textes affichés",
    lead: "Les textes publiés auxquels ces consentements se rapportent. Chaque fichier ci-dessous porte le nom de son SHA-256, inscrit au journal.",
    version: (version, instant) => `Version ${version}, publiée le ${instant}`,
    file: "Fichier publié complet",
    cut: "La suite est dans le fichier publié.",
    none: "Aucun de ces consentements ne se rapporte à une version publiée.",
    gone: "Cette configuration n’est pas dans le fichier publié.",
  },

  check: {
    title: "Comment vérifier",
    key: "Procurez-vous la clé du journal ailleurs que dans ce fichier : le contrat, le site de l’exploitant, vos archives. Elle doit correspondre à celle que le journal déclare ici :",
    page: "Ouvrez verifier.html, saisissez la clé, puis déposez-y des fichiers du répertoire proofs. La page fonctionne hors ligne, depuis un disque local.",
    pageLink: "Ouvrir verifier.html",
    command: "Ou vérifiez-les tous d’un coup en ligne de commande :",
    sums: "SHA256SUMS indique si un fichier a été abîmé pendant le transfert. Il ne prouve rien contre quelqu’un qui le réécrit :",
    kept: "Si vous avez conservé un point de contrôle antérieur du journal, fournissez-le aussi, pour prouver que rien n’a été réécrit depuis.",
  },
  limits: {
    title: "Limites des preuves",
    items: [
      "Un jeton n’identifie pas une personne, et une preuve ne montre pas que la personne a voulu ce qui a été envoyé : on peut faire envoyer n’importe quoi à un navigateur.",
      "Un enregistrement a pu être inexact dès sa création. Sa preuve montre qu’il figurait dans le journal au moment de la signature, et qu’il n’a pas changé depuis.",
      "Il peut exister d’autres enregistrements : voyez comment ceux-ci ont été sélectionnés.",
      "Seuls les fichiers de preuve comptent. Le reste de index.html, consents.csv et README.txt est généré pour la lecture.",
    ],
  },
  files: {
    title: "Contenu de cette archive",
    items: {
      "index.html": "Vue d’ensemble, à lire en premier",
      "consents.csv": "Les mêmes consentements en tableau",
      "proofs/":
        "Pour chaque consentement : son enregistrement, son sel, sa preuve d’inclusion et la version affichée",
      "versions/": "Les fichiers publiés, chacun nommé par son SHA-256",
      "log/checkpoint.txt": "Le point de contrôle signé de toutes les preuves. À conserver",
      "log/keys.txt": "Les clés du journal, telles qu’il les déclare",
      "verifier.html": "Vérifie des preuves dans un navigateur",
      "manifest.json": "La demande, et chaque fichier avec sa taille et son SHA-256",
      SHA256SUMS: "Le SHA-256 de chaque fichier, au format de sha256sum",
    },
    trail: {
      "audit.ndjson":
        "Le journal d’audit du projet sur la période, un événement par ligne. Les preuves ne le couvrent pas",
    },
    stamped: {
      "log/timestamp.tsr":
        "Un horodatage du journal par une autorité (RFC 3161), à vérifier avec openssl ts -verify",
      "log/timestamp.txt": "Le point de contrôle horodaté",
      "log/timestamp-consistency.json": "Prouve que l’arbre des preuves prolonge l’arbre horodaté",
    },
  },
  footer: "Créé avec Avow.",
};
