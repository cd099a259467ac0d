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
};
