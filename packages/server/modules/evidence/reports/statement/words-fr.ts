import type { Words } from "./words-en.ts";

/** The texts of the PDF, in French. */
export const fr: Words = {
  locale: "fr-FR",
  title: "Preuve de consentement",
  unprovenTitle: "Enregistrement que le journal ne prouve pas",
  unproven:
    "Ceci n’est pas une preuve. L’enregistrement ci-dessous ne correspond pas à son entrée dans le journal\u00a0: lui-même, ou des données auxquelles il renvoie, ont été modifiés après son ajout au journal. Ce document montre les données actuelles du service, et la vérification du fichier joint échoue.",
  subject: "Une version lisible du dossier de preuve joint.",
  page: (page, pages) => `Page ${page} sur ${pages}`,
  notStated: "non précisé",
  colon: " :",

  finding({ token, name, date, url, version, project, ...of }) {
    const { isFromFile, tool } = of;
    const source = isFromFile
      ? "D’après un fichier importé, le"
      : tool === undefined
        ? "Le"
        : `D’après la réponse à ${tool} conservée dans le navigateur, lue le`;
    const where = url === undefined ? "" : `, sur la page ${url}`;
    const shown =
      version === undefined
        ? "Les textes affichés ne sont pas établis\u00a0: aucune version n’était publiée."
        : tool === undefined
          ? `Les textes publiés pour l’affichage étaient ceux de la version ${version}, publiée par ${project ?? "le site"}.`
          : `Les textes de ${tool} ne sont pas établis. La réponse a été reprise pour la version ${version}, publiée par ${project ?? "le site"}.`;
    return `${source} ${date}, le visiteur identifié par le jeton «\u00a0${token}\u00a0» ${fr.summarizeAnswers(of)} «\u00a0${name}\u00a0»${where}. ${shown}`;
  },
  summarizeAnswers({ accepted, refused, withdrawn, asked, one }) {
    const groups = [
      { verb: "a accepté", count: accepted },
      { verb: "a retiré son consentement à", count: withdrawn },
      { verb: "a refusé", count: accepted > 0 && refused + accepted === asked ? 0 : refused },
    ].filter(({ count }) => count > 0);
    const [first] = groups;
    if (one !== undefined) return `${first?.verb} «\u00a0${one}\u00a0» de`;
    if (first?.count === asked)
      return asked > 1 ? `${first.verb} tous les ${asked} éléments de` : first.verb;
    return `${groups.map(({ verb, count }) => `${verb} ${count}`).join(" et ")} des ${asked} éléments de`;
  },

  answers: {
    title: "Réponses",
    item: "Finalité ou service",
    answer: "Réponse",
    until: "Valable jusqu’au",
    whole: "dans son ensemble",
    noExpiry: "sans expiration",
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
      "«\u00a0Retiré\u00a0» est un refus après un consentement antérieur, d’après la base de données du service\u00a0; l’enregistrement indique «\u00a0refusé\u00a0».",
  },

  record: {
    title: "Enregistrement",
    token: "Personne (jeton)",
    createdAt: "Horloge du service",
    importedAt: "Date du fichier importé",
    timestamp: "Horloge du visiteur",
    skew: "Écart",
    ahead: (seconds) => `horloge du visiteur en avance de ${seconds} s`,
    behind: (seconds) => `horloge du visiteur en retard de ${seconds} s`,
    displayedAt: "Affiché le, d’après son ticket",
    url: "Page",
    language: "Langue",
    country: "Pays",
    model: "Modèle de consentement",
    models: {
      "opt-in": "opt-in — demandé avant toute exécution",
      "opt-out": "opt-out — services actifs jusqu’au refus",
      notice: "notice — information, services actifs jusqu’au refus",
      none: "none — sans bandeau",
    },
    region: "Région, trouvée par la page",
    userAgent: "Navigateur",
    grade: "Niveau d’assurance",
    tool: "Réponse à un autre outil de consentement",
    collection: "Type",
    configuration: "Configuration",
    consentId: "Consentement",
    project: "Projet",
    controller: "Responsable du traitement",
    value: "Données saisies",
    signals: {
      gpc: "Global Privacy Control",
      googleConsentMode: "Mode Consentement de Google",
      tcString: "Chaîne TC (IAB TCF)",
    },
    gpc: {
      true: "activé\u00a0: ni vente, ni partage, ni suivi",
      false: "non envoyé",
    },
    collections: {
      cookies: "cookies",
      processings: "traitement de données personnelles",
      contracts: "contrat",
    },
    grades: {
      server: "server — envoyé par un serveur authentifié de l’exploitant.",
      ticketed:
        "ticketed — envoyé par un navigateur avec un ticket d’affichage, que ce service avait délivré à une page de ce site pour les textes ci-dessous. Le ticket n’a servi qu’une fois.",
      browser:
        "browser — envoyé par une page dans un navigateur. Le service n’a pas vu l’écran\u00a0; il sait quelle version était publiée pour cette page.",
      imported:
        "imported — lu dans un fichier. La date et les réponses viennent du fichier. Le journal prouve que le service conserve l’enregistrement depuis son inscription au journal.",
      adopted:
        "imported — la réponse à un autre outil de consentement, conservée dans le navigateur du visiteur et lue par une page. Les textes de cet outil et la réponse ne peuvent pas être vérifiés. Le journal prouve que le service conserve l’enregistrement depuis son inscription au journal.",
    },
  },

  shown: {
    title: "Textes affichés",
    lead: (language) => `Les textes tels que publiés, dans l’ordre. Langue\u00a0: ${language}.`,
    none: "Aucune version n’était publiée lors de ce consentement\u00a0: les textes affichés ne sont pas établis.",
    adopted:
      "Le visiteur a répondu aux textes d’un autre outil de consentement. Les textes suivants sont ceux pour lesquels la réponse a été reprise\u00a0; ils ne lui ont pas été affichés.",
    attached: (characters) =>
      `[Un texte de ${characters} caractères, trop long pour ce document\u00a0: il est dans le fichier joint.]`,
    more: (count) => `${count} autres textes sont dans le fichier joint, qui les contient tous.`,
    parts: { configuration: "Configuration", step: "Étape", vendor: "Service" },
    kinds: {
      title: "Titre",
      topTitle: "Ligne au-dessus du titre",
      subTitle: "Ligne sous le titre",
      message: "Message",
      purpose: "Finalité",
      accept: "Déclaration de consentement",
      button: "Bouton",
      shortDescription: "Texte court",
      longDescription: "Texte long",
      domain: "Domaine",
      policyUrl: "Confidentialité",
      withdrawal: "Comment retirer son consentement",
      personalData: "Données personnelles",
      retention: "Durée de conservation",
      automatedDecisions: "Décisions automatisées",
      processor: "Destinataire",
      file: "Document",
      string: "Texte du widget",
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
      settings: "Bouton des préférences",
      receipts: "Bouton vers la page du visiteur",
      toggleAll: "Interrupteur pour tous",
      alwaysOn: "Mention «\u00a0toujours actif\u00a0»",
      details: "Bouton des détails",
      accepted: "Après acceptation",
      refused: "Après refus",
      withdrawn: "Après retrait",
    },
  },

  evidence: {
    title: "Preuve",
    lead: "L’enregistrement est inscrit dans un journal public, signé dans son ensemble, auquel on ne peut qu’ajouter. L’entrée, l’arbre et la signature sont dans le fichier joint.",
    log: "Journal de transparence",
    entry: "Entrée (SHA-256)",
    place: "Position",
    placeOf: (index, size) => `indice ${index} dans un arbre de ${size} entrées`,
    root: "Racine de l’arbre",
    salt: "Sel",
    signatures: "Signé par",
    keyOf: (name, id) => `${name} (clé ${id})`,
    keys: "Clés déclarées",
    version: "Version publiée",
    versionOf: (version, date) => `${version}, publiée ${date}`,
    versionHash: "Fichier publié (SHA-256)",
    versionPlace: "Sa position",
    checkpoint: "Point de contrôle signé",
  },

  verify: {
    title: "Comment vérifier",
    steps: [
      "Ce document ne fait que reprendre le fichier joint, et n’importe qui peut en produire un semblable. La preuve, c’est le fichier joint.",
      "Enregistrez la pièce jointe\u00a0: elle figure dans les pièces jointes de ce document.",
      "Obtenez la clé du journal auprès de l’exploitant par un autre canal que ce document, et conservez-la.",
      "Lancez\u00a0: avow verify {file} --key CLÉ — ou ouvrez la page du vérificateur depuis un disque et déposez-y le fichier. Les deux fonctionnent hors ligne, et sans nous.",
      "La preuve ne montre ni qui est le visiteur, ni que la page était sincère. Elle montre que cet enregistrement et ces textes existaient à ce moment-là et n’ont pas changé depuis.",
    ],
    attachment: "Pièce jointe",
    attachmentOf: (name, bytes, hash) => `${name}, ${bytes} octets, SHA-256 ${hash}`,
  },
};
