import type { Words } from "./en.ts";

const nameOf = (path: string): string => (path === "" ? "Le fichier" : `« ${path} »`);
const types = {
  object: "un objet",
  text: "une chaîne",
  number: "un nombre",
  list: "un tableau",
};

export const fr: Words = {
  errors: {
    at: (fault, line, column) => `${fault} (ligne ${line}, colonne ${column})`,
    large: (mebibytes) => `Le fichier dépasse ${mebibytes} Mio.`,
    utf8: "Le texte n’est pas de l’UTF-8.",
    unreadable: (reason) => `Le fichier n’a pas pu être vérifié entièrement : ${reason}`,
    json: "Ce n’est pas du JSON valide.",
    jsonMore: "Il y a du texte inattendu après la fin.",
    jsonDeep: (max) => `L’imbrication dépasse ${max} niveaux.`,
    jsonTwice: (name) =>
      `« ${name} » apparaît deux fois : deux lecteurs pourraient lire des valeurs différentes.`,
    jsonText: "Une chaîne est mal formée.",
    jsonNumber: (text) => `Le nombre ${text} n’est pas sous sa forme la plus courte.`,
    type: (path, type) => `${nameOf(path)} doit être ${types[type]}.`,
    missing: (path) => `Il manque « ${path} ».`,
    unknown: (path) =>
      `« ${path} » ne fait pas partie d’un dossier de preuve et ne serait pas prouvé.`,
    long: (path, max) => `« ${path} » a plus de ${max} éléments.`,
    bundleFormat: (format) => `Ce n’est pas un dossier de preuve au format ${format}.`,
    base64: (what) => `« ${what} » n’est pas du base64 canonique.`,
    length: (what, wanted, found) => `« ${what} » doit avoir ${wanted} octets, mais en a ${found}.`,
    size: (what) => `« ${what} » doit être un nombre entier de 0 à 9007199254740991.`,
    noteControl: "Une note signée contient un caractère de contrôle.",
    noteShape: "Une note signée doit contenir un texte, une ligne vide et des signatures.",
    noteMany: (max) => `Une note signée a plus de ${max} signatures.`,
    noteLine: (line) => `Ce n’est pas une ligne de signature : « ${line.slice(0, 100)} ».`,
    checkpointShape:
      "Un point de contrôle doit contenir son journal, sa taille et sa racine, sans ligne vide.",
    proofShape:
      "Ce n’est pas un tlog-proof, qui a un en-tête, un indice, des empreintes et un point de contrôle.",
    proofExtra: (path) =>
      `« ${path} » contient des données supplémentaires, qui ne sont pas prouvées.`,
    keyShape: (text) =>
      `Ce n’est pas une clé : « ${text.slice(0, 100)} ». Le format d’une clé est nom+empreinte+base64.`,
    keyType: (name) =>
      `La clé de ${name} est d’un type que ce vérificateur ne prend pas en charge.`,
    keyId: (name) => `La clé de ${name} a été modifiée : son empreinte ne correspond pas.`,
    tilePath: (path) => `Ce n’est pas le chemin d’une tuile : « ${path.slice(0, 100)} ».`,
    noEd25519:
      "Ce navigateur ne peut pas vérifier les signatures Ed25519. Utilisez un navigateur plus récent.",
  },

  says: {
    format: (origin) => `Un dossier de preuve bien formé du journal ${origin}.`,
    record: (consentId, projectId) =>
      `L’enregistrement est celui du consentement ${consentId} du projet ${projectId}.`,
    receiptFormat: (origin) => `Un reçu d’effacement bien formé du journal ${origin}.`,
    erasure: (count, projectId, leaves) =>
      `Il atteste que ${count === 1 ? "un enregistrement" : `${count} enregistrements`} du projet ${projectId} ${count === 1 ? "a été effacé" : "ont été effacés"}, dont ${leaves} ${leaves === 1 ? "figurait" : "figuraient"} dans le journal par ${leaves === 1 ? "son" : "leur"} empreinte.`,
    erasureType: "L’enregistrement n’est pas celui d’un effacement.",
    erasureParts: "Les entrées ne sont pas toutes celles du même effacement, dans l’ordre.",
    erasureLeaves:
      "Les feuilles de l’effacement ne sont pas dans l’ordre, pas toutes antérieures, ou plus nombreuses que les enregistrements effacés.",
    erasureTrees: "Les entrées de l’effacement ne sont pas prouvées dans le même arbre.",
    recordType: "L’enregistrement n’est pas celui d’un consentement.",
    recordVersion: "L’enregistrement est d’une version que ce vérificateur ne prend pas en charge.",
    recordId: (name) => `L’enregistrement n’a pas de « ${name} ».`,
    included: (index, size) =>
      `L’enregistrement avec son sel est dans le journal, à l’indice ${index} de ses ${size} entrées : pas un caractère n’a été modifié.`,
    notIncluded: (index) =>
      `L’enregistrement ne correspond pas au journal à l’indice ${index} : l’enregistrement, son sel ou la preuve a été modifié.`,
    origin: (origin) => `Le point de contrôle est bien du journal ${origin}.`,
    originOther: (origin, found) =>
      `Le dossier est du journal ${origin}, mais son point de contrôle est de ${found}.`,
    signed: (names) => `La signature du point de contrôle est valide : ${names}.`,
    signatureFails: (name) => `Une signature attribuée à ${name} n’est pas valide.`,
    signatureNone: "Le point de contrôle n’a pas de signature par la clé du journal.",
    signatureUnknown: (count) =>
      `${count === 1 ? "Une signature est" : `${count} signatures sont`} de clés inconnues, que ni vous ni le dossier ne fournissez : non vérifié.`,
    signer: (names) => `Il a été signé par une clé à laquelle vous faites confiance : ${names}.`,
    signerUnknown: (origin) =>
      `Le signataire n’est pas vérifié : n’importe qui peut créer un journal et des clés. Ajoutez la clé de ${origin}, provenant d’une source de confiance.`,
    signerOther:
      "Aucune des clés auxquelles vous faites confiance n’est celle du journal sur ce point de contrôle.",
    signerRenewed: (names) =>
      `Il a été signé par une autre clé du même journal : ${names}. Si la clé du journal a changé, obtenez la nouvelle d’une source de confiance, et ajoutez les deux clés : --key deux fois, ou une par ligne.`,
    witness: (names) => `Des témoins ont vu ce point de contrôle : ${names}.`,
    witnessAt: (name, time) => `${name} le ${time}`,
    witnessMissing: (names) =>
      `Des témoins auxquels vous faites confiance n’ont pas signé : ${names}.`,
    publication: (version) =>
      `La publication est la version ${version}, comme dans le consentement.`,
    publicationType: "L’enregistrement de la publication n’est pas celui d’une publication.",
    publicationOther: (name) =>
      `Le consentement et la publication ne correspondent pas : « ${name} » diffère.`,
    publicationNone: "Le consentement n’a pas de version publiée, et le dossier non plus.",
    publicationMissing:
      "La version publiée du consentement n’est pas dans le dossier : les textes affichés ne peuvent pas être vérifiés.",
    publicationIncluded: (index, size) =>
      `La publication est dans le journal, à l’indice ${index} de ses ${size} entrées.`,
    publicationNotIncluded: (index) =>
      `La publication ne correspond pas au journal à l’indice ${index} : son enregistrement, son sel ou la preuve a été modifié.`,
    content: (bytes, hash) =>
      `Le fichier publié est celui du journal : ${bytes} octets, dont l’empreinte SHA-256 est ${hash}.`,
    contentOther: (found) =>
      `Le fichier publié n’est pas celui du journal : son empreinte SHA-256 est ${found}.`,
    kept: (size) =>
      `Votre point de contrôle enregistré, de ${size} entrées, est du même journal et de la même clé.`,
    keptOrigin: (found) => `Votre point de contrôle enregistré est d’un autre journal, ${found}.`,
    keptSignature: "Votre point de contrôle enregistré n’est pas signé par la même clé.",
    keptRenewed:
      "Votre point de contrôle enregistré est signé par une autre clé du même journal. Si la clé du journal a changé depuis, ajoutez les deux clés : --key deux fois, ou une par ligne.",
    same: "Les deux preuves sont du même arbre.",
    consistent: (from, to) =>
      `Rien n’a été réécrit : le journal de ${to} entrées commence par les ${from} entrées du plus ancien.`,
    inconsistent: (from, to) =>
      `Le journal a été réécrit, ou la preuve modifiée : ses ${to} entrées ne commencent pas par les ${from} entrées du point de contrôle plus ancien.`,
    inconsistentSame: (size) =>
      `Il y a deux journaux différents de ${size} entrées de même nom : l’un d’eux a été réécrit.`,
    consistencyMissing: (from, to, projectId) =>
      `Il n’a pas été vérifié que le journal de ${to} entrées commence par le plus ancien de ${from}. Obtenez la preuve avec GET /v1/app/proofs/${projectId}/consistency?from=${from}&to=${to} et ajoutez-la.`,
    consistencyUnused: (from, to) =>
      `La preuve de cohérence de ${from} à ${to} entrées n’a pas été vérifiée : il manque un point de contrôle d’une de ces tailles.`,
  },

  otherFiles: {
    pdf: () =>
      "C’est un PDF. Enregistrez sa pièce jointe (proof-….json, dans la liste des pièces jointes de votre lecteur) et choisissez ce fichier.",
    archive: () =>
      "C’est une archive, par exemple un dossier d’audit. Décompressez-la et choisissez les fichiers de son dossier proofs. En ligne de commande, avow verify accepte l’archive elle-même.",
    jsonLd: () =>
      "C’est du JSON-LD, qui décrit une preuve mais ne prouve rien. Utilisez le format JSON : ?format=json à la même adresse.",
    pending: () =>
      "Le service préparait encore ce fichier au moment du téléchargement. Téléchargez-le à nouveau, à la même adresse.",
    other: (fault) =>
      `Choisissez le fichier .json fourni par le service, ou la pièce jointe de son PDF. ${fault}`,
  },
  noBundle: "Ce n’est pas un dossier de preuve.",

  verdicts: {
    proven: "Prouvé : toutes les vérifications ont réussi.",
    open: "Cohérent, mais tout n’a pas pu être vérifié.",
    broken: "Non prouvé : une vérification a échoué.",
  },

  fields: {
    accept: "Réponse",
    value: "Saisie du formulaire",
    token: "Personne (jeton)",
    timestamp: "Heure, à l’horloge du visiteur",
    createdAt: "Heure, à l’horloge du service",
    displayedAt: "Heure d’affichage, d’après son ticket",
    url: "Page",
    language: "Langue",
    country: "Pays",
    userAgent: "Navigateur",
    grade: "Niveau d’assurance",
    signals: "Signaux du navigateur",
    collection: "Type",
    identifier: "Configuration",
    version: "Version publiée",
    publication: "Fichier publié (SHA-256)",
    preferences: "Préférences telles qu’envoyées",
    consentId: "Consentement",
    projectId: "Projet",
    erasedAt: "Effacé le",
    reason: "Motif",
    orderedBy: "Demandé par (utilisateur)",
    count: "Enregistrements effacés",
    leaves: "Indices de leurs empreintes dans le journal",
    erasureId: "Effacement",
    part: "Entrée",
    parts: "Entrées",
  },
  importedAt: "Heure, d’après le fichier importé",
  values: {
    reasons: {
      request: "sur demande",
      retention: "fin de la durée de conservation des preuves",
    },
    yes: "Oui",
    no: "Non",
    none: "—",
    whole: "dans son ensemble",
    answer: (name) => `Réponse : ${name}`,
    accept: { true: "Accepté", false: "Refusé" },
    answers: { accepted: "accepté", refused: "refusé" },
    grades: {
      server: "envoyé par un serveur authentifié",
      ticketed: "envoyé par un navigateur avec un ticket d’affichage de cette version",
      browser: "envoyé par un navigateur",
      imported: "importé d’un fichier, avec son heure et ses réponses",
    },
    adopted:
      "importé par un navigateur, de sa réponse à un autre outil de consentement (voir les préférences)",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Mode Consentement de Google",
      tcString: "Chaîne TC (IAB TCF)",
    },
    gpc: {
      true: "activé : ne pas vendre, partager ni suivre",
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
    lead: "Cette page vérifie des dossiers de preuve et explique chaque vérification. Elle fonctionne hors ligne : vos fichiers ne quittent jamais cet ordinateur.",
    language: "Langue",
    files: "Déposez ici des dossiers de preuve",
    filesHint: "ou choisissez des fichiers .json du service, jusqu’à 16 Mio chacun",
    choose: "Choisir des fichiers",
    keys: "Clé du journal, d’une source de confiance",
    keysHint:
      "Au format nom+empreinte+base64, une par ligne. Obtenez-la d’une autre source que le dossier : le contrat, le site de l’exploitant, vos archives. Vous pouvez ajouter des clés de témoins.",
    older: "Comparer à un point de contrôle plus ancien",
    checkpoint: "Point de contrôle enregistré",
    checkpointHint: "Vérifie que rien n’a été réécrit depuis.",
    consistency: "Preuve de cohérence",
    consistencyHint: "Fournie par le journal, pour les deux tailles, si le dossier n’en a pas.",
    results: "Résultats",
    nothing: "Pas encore de dossier.",
    fix: "Corrigez d’abord les champs signalés ci-dessus.",
    again: "Recommencer",
    record: "Enregistrement",
    shown: "Contenu du fichier publié",
    holds: "Réussi :",
    fails: "Échec :",
    open: "Non vérifié :",
    asIs: "tel quel dans l’enregistrement",
    footer:
      "Fait partie d’Avow. Les mêmes vérifications existent en ligne de commande : avow verify.",
  },
};
