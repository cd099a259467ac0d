import type { Words } from "./en.ts";

const nameOf = (path: string): string => (path === "" ? "Le fichier" : `« ${path} »`);
const types = {
  object: "un objet",
  text: "un texte",
  number: "un nombre",
  list: "une liste",
};

export const fr: Words = {
  faults: {
    at: (fault, line, column) => `${fault} (ligne ${line}, colonne ${column})`,
    large: (mebibytes) => `Le fichier dépasse ${mebibytes} Mio.`,
    utf8: "Le texte n’est pas de l’UTF-8.",
    unreadable: (reason) => `Le fichier n’a pas pu être vérifié jusqu’au bout : ${reason}`,
    json: "Ce n’est pas du JSON.",
    jsonMore: "Quelque chose suit après la fin.",
    jsonDeep: (max) => `Plus de ${max} niveaux sont imbriqués.`,
    jsonTwice: (name) =>
      `« ${name} » y est deux fois : deux lecteurs pourraient voir des choses différentes.`,
    jsonText: "Un texte est mal formé.",
    jsonNumber: (text) => `Le nombre ${text} n’est pas écrit sous sa forme la plus courte.`,
    type: (path, type) => `${nameOf(path)} doit être ${types[type]}.`,
    missing: (path) => `Il manque « ${path} ».`,
    unknown: (path) =>
      `« ${path} » ne fait pas partie d’un dossier de preuve : rien ne le prouverait.`,
    long: (path, max) => `« ${path} » a plus de ${max} éléments.`,
    bundleFormat: (format) => `Ce n’est pas un dossier de preuve au format ${format}.`,
    base64: (what) => `« ${what} » n’est pas du base64 écrit comme il se doit.`,
    length: (what, wanted, found) => `« ${what} » a ${found} octets, il en faut ${wanted}.`,
    size: (what) => `« ${what} » doit être un nombre entier de 0 à 9007199254740991.`,
    noteControl: "Une note signée contient un caractère de contrôle.",
    noteShape: "Une note signée doit être un texte, une ligne vide et des signatures.",
    noteMany: (max) => `Une note signée a plus de ${max} signatures.`,
    noteLine: (line) => `Ce n’est pas une ligne de signature : « ${line.slice(0, 100)} ».`,
    checkpointShape:
      "Un point de contrôle doit nommer son registre, sa taille et sa racine, sans ligne vide.",
    proofShape:
      "Ce n’est pas un tlog-proof : il faut une première ligne, un rang, des empreintes et un point de contrôle.",
    proofExtra: (path) => `« ${path} » a des données en plus, que rien ne prouve.`,
    keyShape: (text) =>
      `Ce n’est pas une clé : « ${text.slice(0, 100)} ». Une clé s’écrit nom+empreinte+base64.`,
    keyType: (name) => `La clé de ${name} est d’une sorte que ce vérificateur ne connaît pas.`,
    keyId: (name) => `La clé de ${name} a été modifiée : son empreinte n’est pas la sienne.`,
    tilePath: (path) => `Ce n’est pas le chemin d’une tuile : « ${path.slice(0, 100)} ».`,
    noEd25519:
      "Ce navigateur ne sait pas vérifier les signatures Ed25519. Prenez-en un plus récent.",
  },

  says: {
    format: (origin) => `Un dossier de preuve bien formé, du registre ${origin}.`,
    record: (consentId, projectId) =>
      `L’enregistrement est celui du consentement ${consentId} du projet ${projectId}.`,
    receiptFormat: (origin) => `Un reçu d’effacement bien formé, du registre ${origin}.`,
    erasure: (count, projectId, leaves) =>
      `Il dit que ${count === 1 ? "un enregistrement" : `${count} enregistrements`} du projet ${projectId} ${count === 1 ? "a été effacé" : "ont été effacés"}, dont ${leaves} ${leaves === 1 ? "figurait" : "figuraient"} dans le registre par ${leaves === 1 ? "son" : "leur"} empreinte.`,
    erasureType: "L’enregistrement n’est pas celui d’un effacement.",
    erasureParts:
      "Les entrées ne sont pas toutes celles d’un seul et même effacement, dans leur ordre.",
    erasureLeaves:
      "Les feuilles que nomme l’effacement ne sont pas dans leur ordre, pas toutes d’avant lui, ou plus nombreuses que ce qu’il a effacé.",
    erasureTrees: "Les entrées de l’effacement ne sont pas prouvées sous un seul et même arbre.",
    recordType: "L’enregistrement n’est pas celui d’un consentement.",
    recordVersion: "L’enregistrement est d’une version que ce vérificateur ne connaît pas.",
    recordId: (name) => `L’enregistrement n’a pas de « ${name} ».`,
    included: (index, size) =>
      `L’enregistrement, ouvert par son sel, est dans le registre, au rang ${index} de ses ${size} entrées : pas un caractère n’en a été modifié.`,
    notIncluded: (index) =>
      `L’enregistrement n’est pas ce que le registre a au rang ${index} : l’enregistrement, son sel ou la preuve a été modifié.`,
    origin: (origin) => `Le point de contrôle est bien du registre ${origin}.`,
    originOther: (origin, found) =>
      `Le dossier est du registre ${origin}, et son point de contrôle de ${found}.`,
    signed: (names) => `La signature du point de contrôle est juste : ${names}.`,
    signatureFails: (name) => `Une signature attribuée à ${name} est fausse.`,
    signatureNone: "Aucune signature par la clé du registre ne figure sur le point de contrôle.",
    signatureUnknown: (count) =>
      `${count === 1 ? "Une signature est" : `${count} signatures sont`} de clés que ni vous ni le dossier ne nommez : non vérifié.`,
    signer: (names) => `Il a été signé par une clé à laquelle vous faites confiance : ${names}.`,
    signerUnknown: (origin) =>
      `Qui a signé n’est pas établi : n’importe qui peut faire un registre et des clés. Donnez la clé de ${origin}, d’une source à laquelle vous faites confiance.`,
    signerOther:
      "Aucune des clés auxquelles vous faites confiance n’est celle du registre sur ce point de contrôle.",
    signerRenewed: (names) =>
      `Il a été signé par une autre clé du même registre : ${names}. Si la clé du registre a changé, prenez la nouvelle d’une source à laquelle vous faites confiance, et donnez les deux clés : --key deux fois, ou une par ligne.`,
    witness: (names) => `Des témoins ont vu ce point de contrôle : ${names}.`,
    witnessAt: (name, time) => `${name} le ${time}`,
    witnessMissing: (names) =>
      `Des témoins auxquels vous faites confiance n’ont pas signé : ${names}.`,
    publication: (version) =>
      `Le consentement nomme la version ${version} de ce qui a été publié, et la voici.`,
    publicationType: "L’enregistrement de la publication n’est pas celui d’une publication.",
    publicationOther: (name) =>
      `Le consentement et la publication ne s’accordent pas : « ${name} » diffère.`,
    publicationNone: "Le consentement ne nomme aucune version publiée, et le dossier n’en a pas.",
    publicationMissing:
      "Le consentement nomme une version publiée qui n’est pas dans le dossier : ce qui a été montré n’est pas établi.",
    publicationIncluded: (index, size) =>
      `La publication est dans le registre, au rang ${index} de ses ${size} entrées.`,
    publicationNotIncluded: (index) =>
      `La publication n’est pas ce que le registre a au rang ${index} : son enregistrement, son sel ou la preuve a été modifié.`,
    content: (bytes, hash) =>
      `Le fichier publié est le bon : ${bytes} octets, dont l’empreinte SHA-256 est ${hash}.`,
    contentOther: (found) =>
      `Le fichier publié n’est pas celui du registre : son empreinte SHA-256 est ${found}.`,
    kept: (size) =>
      `Le point de contrôle que vous avez gardé, de ${size} entrées, est du même registre et de la même clé.`,
    keptOrigin: (found) =>
      `Le point de contrôle que vous avez gardé est d’un autre registre, ${found}.`,
    keptSignature: "Le point de contrôle que vous avez gardé n’est pas signé par la même clé.",
    keptRenewed:
      "Le point de contrôle que vous avez gardé est signé par une autre clé du même registre. Si la clé du registre a changé depuis, donnez les deux clés : --key deux fois, ou une par ligne.",
    same: "Les deux preuves sont sous un seul et même arbre.",
    consistent: (from, to) =>
      `Rien n’a été réécrit : le registre de ${to} entrées commence par les ${from} du plus ancien.`,
    inconsistent: (from, to) =>
      `Le registre a été réécrit, ou la preuve modifiée : ses ${to} entrées ne commencent pas par les ${from} du point de contrôle plus ancien.`,
    inconsistentSame: (size) =>
      `Il y a deux registres différents de ${size} entrées sous un même nom : l’un d’eux a été réécrit.`,
    consistencyMissing: (from, to, projectId) =>
      `On n’a pas vérifié que le registre de ${to} entrées commence par le plus ancien de ${from}. Demandez la preuve par GET /v1/app/proofs/${projectId}/consistency?from=${from}&to=${to} et donnez-la aussi.`,
    consistencyUnused: (from, to) =>
      `Une preuve de cohérence de ${from} à ${to} entrées n’a pas été vérifiée : il manque un point de contrôle d’une de ces tailles.`,
  },

  strangers: {
    pdf: () =>
      "C’est un PDF. Enregistrez sa pièce jointe (proof-….json, dans la liste des pièces jointes de votre lecteur) et donnez-la.",
    archive: () =>
      "C’est une archive, un dossier de consentements par exemple. Décompressez-la et donnez les fichiers de son dossier proofs ; en ligne de commande, avow verify prend l’archive telle quelle.",
    jsonLd: () =>
      "C’est du JSON-LD, qui répète ce que dit une preuve et ne prouve rien. Donnez la forme JSON : ?format=json à la même adresse.",
    other: (fault) =>
      `Donnez le .json que fournit le service, ou qui est joint à son PDF. ${fault}`,
  },
  noBundle: "Ce n’est pas un dossier de preuve.",

  verdicts: {
    proven: "Prouvé : tout est juste.",
    open: "Tout concorde, mais tout n’est pas établi.",
    broken: "Non prouvé : quelque chose est faux.",
  },

  fields: {
    accept: "Réponse",
    value: "Ce qui a été saisi",
    token: "Personne (jeton)",
    timestamp: "Heure, à l’horloge du visiteur",
    createdAt: "Heure, à l’horloge du service",
    displayedAt: "Affiché auparavant, d’après son ticket",
    url: "Page",
    language: "Langue",
    country: "Pays",
    userAgent: "Navigateur",
    grade: "Comment il a été reçu",
    signals: "Signaux du navigateur",
    collection: "Sorte",
    identifier: "Configuration",
    version: "Version publiée",
    publication: "Fichier publié (SHA-256)",
    preferences: "Préférences telles qu’envoyées",
    consentId: "Consentement",
    projectId: "Projet",
    erasedAt: "Effacé le",
    reason: "Pourquoi",
    orderedBy: "Sur l’ordre de (utilisateur)",
    count: "Enregistrements effacés",
    leaves: "Où sont leurs empreintes dans le registre",
    erasureId: "Effacement",
    part: "Entrée",
    parts: "Entrées",
  },
  importedAt: "Heure, d’après le fichier importé",
  values: {
    reasons: {
      request: "quelqu’un l’a demandé",
      retention: "la durée de conservation des preuves était écoulée",
    },
    yes: "Oui",
    no: "Non",
    none: "—",
    whole: "dans son ensemble",
    answer: (name) => `Réponse : ${name}`,
    accept: { true: "Accepté", false: "Refusé" },
    answers: { accepted: "accepté", refused: "refusé" },
    grades: {
      server: "par un serveur authentifié",
      ticketed: "par un navigateur qui avait un ticket d’affichage de cette version",
      browser: "par un navigateur",
      imported: "importé d’un fichier, qui en donne l’heure et les réponses",
    },
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Mode Consentement de Google",
      tcString: "Chaîne TC (IAB TCF)",
    },
    gpc: {
      true: "activé : ne pas être vendu, partagé ni suivi",
      false: "non envoyé",
    },
    skew: (ms) =>
      `${String(Math.abs(ms) / 1000).replace(".", ",")} s ${ms < 0 ? "de retard" : "d’avance"} sur l’horloge du service`,
    collections: {
      cookies: "cookies",
      processings: "traitement de données personnelles",
      contracts: "contrat",
    },
  },

  page: {
    title: "Vérifier une preuve de consentement",
    lead: "Cette page recalcule un dossier de preuve depuis ses octets et dit en mots simples ce qui est juste. Elle fonctionne sans réseau : rien de ce que vous lui donnez ne quitte cet ordinateur.",
    language: "Langue",
    files: "Déposez ici des dossiers de preuve",
    filesHint:
      "ou choisissez des fichiers : le .json que le service fournit, jusqu’à 16 Mio chacun",
    choose: "Choisir des fichiers",
    keys: "La clé du registre, d’une source à laquelle vous faites confiance",
    keysHint:
      "Écrite nom+empreinte+base64, une par ligne. Prenez-la ailleurs que dans le dossier : le contrat, le site de l’exploitant, vos archives. Des clés de témoins peuvent suivre.",
    older: "J’ai gardé un point de contrôle plus ancien",
    checkpoint: "Point de contrôle que vous avez gardé",
    checkpointHint: "Montre que rien n’a été réécrit depuis.",
    consistency: "Preuve de cohérence",
    consistencyHint: "La réponse du registre pour les deux tailles, si le dossier n’en a pas.",
    results: "Ce qui a été trouvé",
    nothing: "Pas encore de dossier.",
    mend: "Corrigez d’abord ce qui est marqué plus haut.",
    again: "Recommencer",
    record: "Ce que dit l’enregistrement",
    shown: "Le fichier publié, tel qu’il a été publié",
    holds: "Juste :",
    fails: "Faux :",
    open: "Non établi :",
    asIs: "tel qu’il est dans l’enregistrement",
    footer: "Fait partie d’Avow. La même vérification existe en ligne de commande : avow verify.",
  },
};
