import type { Words } from "./words-en.ts";

/** Everything that the PDF says of its own, in French. */
export const fr: Words = {
  locale: "fr-FR",
  title: "Preuve de consentement",
  unprovenTitle: "Enregistrement que le registre ne prouve pas",
  unproven:
    "Ceci n’est pas une preuve. L’enregistrement ci-dessous n’est pas ce que le registre a à sa place : il a été modifié, ou ce avec quoi il est dit, après que le registre en a eu connaissance. La suite est ce que le service dit aujourd’hui, et le fichier joint ne se vérifie pas.",
  subject:
    "Ce que dit un dossier de preuve, pour les personnes\u00a0; le dossier lui-même est joint.",
  page: (page, pages) => `Page ${page} sur ${pages}`,
  notStated: "non précisé",
  colon: " :",

  finding({ token, name, date, url, version, project, isImported, ...of }) {
    const said = isImported ? "D’après un fichier importé, le" : "Le";
    const where = url === undefined ? "" : `, sur la page ${url}`;
    const shown =
      version === undefined
        ? "Les mots montrés ne sont pas établis\u00a0: rien n’était encore publié."
        : `Ce qui devait être montré était la version ${version} de ce que ${project ?? "le site"} a publié.`;
    return `${said} ${date}, le visiteur connu sous le nom «\u00a0${token}\u00a0» ${fr.did(of)} «\u00a0${name}\u00a0»${where}. ${shown}`;
  },
  did({ accepted, refused, withdrawn, asked, one }) {
    const did = [
      { verb: "a accepté", count: accepted },
      { verb: "a retiré son consentement à", count: withdrawn },
      { verb: "a refusé", count: accepted > 0 && refused + accepted === asked ? 0 : refused },
    ].filter(({ count }) => count > 0);
    const [first] = did;
    if (one !== undefined) return `${first?.verb} «\u00a0${one}\u00a0» de`;
    if (first?.count === asked)
      return asked > 1 ? `${first.verb} tous les ${asked} éléments de` : first.verb;
    return `${did.map(({ verb, count }) => `${verb} ${count}`).join(" et ")} des ${asked} éléments de`;
  },

  answers: {
    title: "Ce qui a été répondu",
    item: "Proposé",
    answer: "Réponse",
    until: "Valable jusqu’au",
    whole: "dans son ensemble",
    forEver: "sans fin indiquée",
    more: (count) =>
      `${count} autres réponses sont dans le fichier joint, qui les contient toutes.`,
    words: {
      accepted: "Accepté",
      refused: "Refusé",
      withdrawn: "Retiré",
      unanswered: "Pas dans cette réponse",
      required: "Toujours actif, non demandé",
    },
    withdrawnNote:
      "«\u00a0Retiré\u00a0» est un refus après un consentement antérieur, d’après les données du service\u00a0; l’enregistrement dit refusé.",
  },

  record: {
    title: "L’enregistrement",
    token: "Personne (jeton)",
    createdAt: "Horloge du service",
    importedAt: "D’après le fichier importé",
    timestamp: "Horloge du visiteur",
    skew: "Écart",
    ahead: (seconds) => `horloge du visiteur en avance de ${seconds} s`,
    behind: (seconds) => `horloge du visiteur en retard de ${seconds} s`,
    displayedAt: "Affiché auparavant, d’après son ticket",
    url: "Page",
    language: "Langue",
    country: "Pays",
    userAgent: "Navigateur",
    grade: "Comment il est venu",
    collection: "Sorte",
    configuration: "Configuration",
    consentId: "Consentement",
    project: "Projet",
    controller: "Responsable",
    value: "Ce qui a été saisi",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Mode Consentement de Google",
      tcString: "Chaîne TC (IAB TCF)",
    },
    gpc: {
      true: "activé\u00a0: ne pas être vendu, partagé ni suivi",
      false: "non envoyé",
    },
    collections: {
      cookies: "cookies",
      processings: "traitement de données personnelles",
      contracts: "contrat",
    },
    grades: {
      server: "server — envoyé par un serveur que l’exploitant a authentifié.",
      ticketed:
        "ticketed — envoyé par un navigateur avec un ticket que ce service avait donné à une page de ce site pour les mots ci-dessous. Il n’a servi qu’une fois.",
      browser:
        "browser — envoyé par une page dans un navigateur. Le service n’a pas vu ce qui était à l’écran\u00a0; il sait quelle version était publiée pour lui.",
      imported:
        "imported — lu dans un fichier. L’heure et les réponses sont celles du fichier. Le registre prouve depuis quand le service le détient.",
    },
  },

  shown: {
    title: "Ce qui a été montré",
    lead: (language) =>
      `Les textes tels qu’ils ont été publiés, dans cet ordre. Langue\u00a0: ${language}.`,
    none: "Aucune version n’était publiée lors de ce consentement\u00a0: les mots ne sont pas établis.",
    attached: (characters) =>
      `[Un texte de ${characters} caractères, trop long pour ce document\u00a0: il est dans le fichier joint.]`,
    more: (count) => `${count} autres textes sont dans le fichier joint, qui les contient tous.`,
    parts: { configuration: "Configuration", step: "Étape", vendor: "Prestataire" },
    kinds: {
      title: "Titre",
      topTitle: "Surtitre",
      subTitle: "Sous-titre",
      message: "Message",
      purpose: "Finalité",
      accept: "Phrase acceptée",
      button: "Bouton",
      shortDescription: "Texte court",
      longDescription: "Texte long",
      domain: "Domaine",
      policyUrl: "Confidentialité",
      withdrawal: "Pour retirer",
      personalData: "Données personnelles",
      retention: "Conservation",
      automatedDecisions: "Décisions automatisées",
      processor: "Destinataire",
      file: "Document",
      string: "Mots",
    },
    strings: {
      acceptAll: "Bouton tout accepter",
      refuseAll: "Bouton tout refuser",
      accept: "Bouton d’acceptation",
      refuse: "Bouton de refus",
      change: "Bouton de changement de réponse",
      save: "Bouton enregistrer",
      withdraw: "Bouton retirer",
      policy: "Lien vers la politique",
      choose: "Bouton choisir",
      next: "Bouton étape suivante",
      back: "Bouton étape précédente",
      close: "Bouton fermer",
      settings: "Bouton des choix",
      receipts: "Bouton vers cette page",
      toggleAll: "Interrupteur pour tous",
      alwaysOn: "Où rien n’est demandé",
      details: "Ce qui ouvre les détails",
      accepted: "Après acceptation",
      refused: "Après refus",
      withdrawn: "Après retrait",
    },
  },

  evidence: {
    title: "Les preuves",
    lead: "L’enregistrement est engagé dans un registre public, signé dans son ensemble, qui ne peut que grandir. Entrée, arbre et signature sont dans le fichier joint.",
    log: "Registre",
    entry: "Entrée (SHA-256)",
    place: "Place",
    placeOf: (index, size) => `rang ${index} dans un arbre de ${size} entrées`,
    root: "Racine de l’arbre",
    salt: "Sel",
    signatures: "Signatures de",
    keyOf: (name, id) => `${name} (clé ${id})`,
    keys: "Clés déclarées",
    version: "Version publiée",
    versionOf: (version, date) => `${version}, publiée ${date}`,
    versionHash: "Fichier publié (SHA-256)",
    versionPlace: "Sa place",
    checkpoint: "Point de contrôle tel que signé",
  },

  verify: {
    title: "Comment vérifier",
    steps: [
      "Ce papier ne fait que répéter ce que dit le fichier joint\u00a0; n’importe qui peut imprimer un papier. Le fichier est la preuve.",
      "Enregistrez la pièce jointe\u00a0: elle figure dans les pièces jointes de ce document.",
      "Obtenez la clé du registre auprès de l’exploitant par une autre voie que ce document, et gardez-la.",
      "Lancez\u00a0: avow verify {file} --key CLÉ — ou ouvrez la page du vérificateur depuis un disque et déposez-y le fichier. Rien de cela ne demande de réseau, ni nous.",
      "Cela ne prouve pas qui est le visiteur, ni qu’une page a dit vrai. Cela prouve que cet enregistrement et ces mots étaient là à ce moment et n’ont pas changé depuis.",
    ],
    attachment: "Pièce jointe",
    attachmentOf: (name, bytes, hash) => `${name}, ${bytes} octets, SHA-256 ${hash}`,
  },
};
