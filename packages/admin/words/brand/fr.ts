import type { BrandWords } from "./en.ts";

export const fr: BrandWords = {
  title: "Marque",
  lead: "Clients et visiteurs la voient sur les pages des visiteurs, dans les invitations et les e-mails sur les projets.",
  name: "Affichée comme",
  nameHint: "Le nom de la marque. Sans lui, aucune marque n’est affichée.",
  logo: "Logo",
  noLogo: "Aucun logo",
  chooseLogo: "Choisir un logo",
  removeLogo: "Retirer le logo",
  color: "Couleur d’accent",
  colorHint:
    "Sous la forme #rrvvbb, avec un contraste d’au moins 4,5 avec le blanc. Le mode sombre garde sa propre couleur.",
  colorFault:
    "Indiquez #rrvvbb et choisissez une couleur lisible sur du blanc (contraste d’au moins 4,5).",
  support: "Adresse pour les questions",
  supportHint: "Affichée sur les pages des visiteurs et à la fin des e-mails.",
  sender: "Expéditeur des e-mails",
  senderHint:
    "Le nom placé devant celui du service, dont l’adresse reste celle de l’expéditeur. Par défaut : le nom de la marque.",
  replyTo: "Adresse pour les réponses",
  replyToHint: "Les réponses aux e-mails y arrivent (Reply-To).",
  emailFault: "Indiquez une adresse e-mail.",
  save: "Enregistrer la marque",
  saved: "La marque est enregistrée.",
  domain: {
    title: "Domaine",
    lead: "Les liens vers les pages des visiteurs, vers les relectures et dans les invitations commencent par lui, si la marque a un nom. Dirigez-le d’abord vers ce service : dans le DNS et dans le proxy placé devant lui.",
    host: "Nom d’hôte",
    hostHint:
      "Un hôte à vous, comme consent.agence.example. Le service vérifie qu’il mène ici, puis chaque jour.",
    hostFault: "Indiquez un nom d’hôte, sans https:// et sans chemin.",
    set: "Définir et vérifier",
    check: "Vérifier à nouveau",
    found: (url) => `Les liens commencent par ${url}.`,
    lost: (host) => `Les liens ne commencent pas encore par ${host} :`,
    checked: (ago) => `Vérifié ${ago}.`,
    remove: "Retirer",
    removeTitle: (host) => `Retirer ${host} ?`,
    removeLead:
      "Les nouveaux liens commencent par l’adresse du service. Les liens déjà envoyés fonctionnent tant que l’hôte mène ici.",
    removed: "Le domaine est retiré.",
  },
};
