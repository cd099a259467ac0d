import type { StartWords } from "./en.ts";

export const fr: StartWords = {
  titles: {
    scan: "Analyse de votre site",
    offer: "Votre bandeau est prêt",
    live: "Ajoutez-le à votre site",
  },
  leads: {
    scan: "Un navigateur sur le serveur ouvre votre site et relève les services, les couleurs et les langues.",
    offer:
      "Un point de départ conforme : rien n’est activé avant le choix du visiteur, et refuser est aussi simple qu’accepter. Chaque texte peut être modifié plus tard.",
    live: "Le bandeau est publié. Une ligne sur votre site, et les visiteurs sont interrogés.",
  },
  steps: ["Analyse", "Vérification", "Ajout au site"],
  stepsLabel: "Étapes",
  visited: (pages, max) => `Page ${pages} sur ${max} au plus`,
  queued: "Démarrage…",
  scanTime: "Cela prend moins d’une minute.",
  skip: "Passer l’analyse",
  scan: "Analyser le site",
  scanAgain: "Relancer l’analyse",
  unscanned:
    "Le site n’a pas été analysé. Cochez les services qu’il utilise, ou lancez d’abord une analyse.",
  failed: "Le site n’a pas pu être analysé. Cochez plutôt les services qu’il utilise.",
  found: (count) => (count === 1 ? "1 service a été trouvé" : `${count} services ont été trouvés`),
  foundNone:
    "L’analyse n’a trouvé aucun service soumis au consentement. Les visiteurs ne voient que le premier texte.",
  services: "Services soumis au consentement",
  unknown: (count) => (count === 1 ? "1 hôte est inconnu" : `${count} hôtes sont inconnus`),
  unknownLead: "Notre catalogue ne les connaît pas. Classez ceux que vous reconnaissez.",
  unsorted: "Non demandé",
  language: "Langue du site",
  languagesFound: (list) =>
    `Trouvées sur le site : ${list}. Ajoutez les traductions plus tard dans l’éditeur.`,
  colors: "Utiliser les couleurs du site",
  colorNames: { main: "Boutons", background: "Fond", text: "Texte" },
  preview: "Aperçu sur votre site",
  devices: { desktop: "Ordinateur", phone: "Téléphone" },
  device: "Appareil",
  previewFailed: "L’aperçu ne peut pas être affiché :",
  publish: "Publier le bandeau",
  later: "Pas maintenant",
  there: "Ce projet a déjà un bandeau",
  thereText: "Publiez-le, ou modifiez ce qu’il demande et ce qu’il dit.",
  goPublish: "Aller à la publication",
  goChange: "Modifier les bandeaux",
  publishing: "Publication en cours…",
  publishFailed: "Le bandeau n’a pas été publié",
  overview: "Aller à la vue d’ensemble",
  watch: {
    verify:
      "Analysez de nouveau le site pour confirmer que rien ne se charge avant le consentement.",
    scan: "Analyser de nouveau",
    title: "En attente du premier visiteur",
    waiting: "Ouvrez votre site dans un autre onglet. Cette page passe au vert d’elle-même.",
    late: "Rien n’est encore arrivé. Vérifiez que",
    checks: [
      "la ligne est dans le <head> de la page ouverte, dans le code source affiché par le navigateur",
      "la modification est déployée, et aucun cache ne sert l’ancienne page",
      "aucune extension du navigateur ne bloque le service, et la Content-Security-Policy du site l’autorise",
      "vous n’avez pas déjà répondu dans ce navigateur : le bandeau n’apparaît alors plus. Essayez une fenêtre privée",
    ],
    open: "Ouvrir le site",
    live: "Votre bandeau est en ligne",
    shown: (at) => `Il a été vu ici pour la première fois à ${at}.`,
    answered: (host, at) => `La première réponse est venue de ${host} à ${at}.`,
  },
  install: {
    tabs: {
      plain: "HTML",
      pinned: "Avec SRI",
      gtm: "Tag Manager",
      wordpress: "WordPress",
      next: "Next.js",
      nuxt: "Nuxt",
      native: "React Native",
    },
    hints: {
      gtm: "Importez le modèle avow.tpl, ajoutez une balise avec le déclencheur « Consent Initialization - All Pages » et saisissez les deux valeurs. Guide : docs/guides/google-tag-manager.md",
      wordpress:
        "Installez l’extension Avow et saisissez les deux valeurs dans Réglages → Avow. Guide : docs/guides/wordpress.md",
      next: "Dans app/layout.tsx, avec les paquets @avow/react et @avow/widget. Guide : docs/guides/react.md",
      nuxt: "Dans nuxt.config.ts, avec les paquets @avow/vue et @avow/widget. Guide : docs/guides/vue.md",
      native: "Autour des écrans de l’application. Guide : docs/guides/react-native.md",
    },
    service: "Adresse du service",
    project: "Projet",
    developer: "Envoyer à un développeur",
    developerHint: "Cette personne reçoit le code par e-mail, avec votre nom.",
    block: "Retenir les traceurs des pages jusqu’au consentement",
    blockHint:
      "À placer en premier dans le <head> de chaque page, avant tout script. Les balises de vos partenaires y attendent que le visiteur les accepte.",
    blocks:
      "Les deux premières lignes retiennent les balises de vos partenaires jusqu’à ce que le visiteur les accepte. Elles doivent précéder tout autre script.",
    noBlock:
      "Il ne retient pas les balises que vos pages chargent elles-mêmes : indiquez les hôtes de vos partenaires dans le bandeau, puis publiez de nouveau.",
    email: "Adresse e-mail du développeur",
    send: "Envoyer",
    sent: (to) => `Envoyé à ${to}.`,
  },
  operator: {
    title: "Bienvenue. Vous exploitez cette installation",
    lead: "Votre compte est le premier. Trois choses la préparent aux visiteurs :",
    mail: "Configurer l’e-mail",
    mailText:
      "Définissez SMTP_URL. D’ici là, les messages sont des fichiers du dossier de données.",
    backup: "Planifier les sauvegardes",
    backupText: "Lancez « avow backup » par un minuteur. L’état montre la dernière.",
    publicUrl: "Vérifier l’adresse publique",
    publicUrlText: (url) =>
      `Les codes et les messages contiennent ${url}. Définissez PUBLIC_URL si les visiteurs utilisent une autre adresse.`,
    dismiss: "Compris",
  },
};
