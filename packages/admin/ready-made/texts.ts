/** The texts of a ready-made banner in a language. */
export interface Texts {
  topTitle: string;
  title: string;
  message: string;
  kinds: Record<Kind, { title: string; subTitle: string; message: string }>;
  /** A sentence about each service. */
  services: Record<ServiceName, string>;
}

export const kinds = [
  "necessary",
  "functional",
  "analytics",
  "advertising",
  "social",
  "media",
] as const;
export type Kind = (typeof kinds)[number];
export type ServiceName =
  | "google_analytics"
  | "matomo"
  | "hotjar"
  | "google_ads"
  | "meta_pixel"
  | "youtube";

const en: Texts = {
  topTitle: "Before you continue",
  title: "Your choice about cookies",
  message:
    "<p>This website works without the services that follow. <strong>They stay off until you say yes</strong>, and you can change your mind at any time.</p>",
  kinds: {
    functional: {
      title: "Comfort",
      subTitle: "Functions of the website",
      message: "<p>Functions that other companies provide, such as a chat or a map.</p>",
    },
    social: {
      title: "Social networks",
      subTitle: "Posts and buttons of networks",
      message: "<p>Posts and buttons of social networks, which then learn that you were here.</p>",
    },
    necessary: {
      title: "Necessary",
      subTitle: "Always on",
      message: "<p>What the website needs to work. It cannot be switched off.</p>",
    },
    analytics: {
      title: "Knowing what is useful",
      subTitle: "Audience measurement",
      message: "<p>Which pages help, and which ones nobody reads.</p>",
    },
    advertising: {
      title: "Advertising",
      subTitle: "Advertising on other websites",
      message: "<p>Whether advertisements bring anybody here, and to whom they are shown.</p>",
    },
    media: {
      title: "Videos",
      subTitle: "Content from elsewhere",
      message: "<p>Videos come from another company, which then learns that you watch them.</p>",
    },
  },
  services: {
    google_analytics: "Measures which pages are visited and how visitors found the website.",
    matomo: "Measures which pages are visited, for this website alone.",
    hotjar: "Records clicks and scrolling, to show where a page confuses.",
    google_ads: "Measures whether an advertisement on Google led here.",
    meta_pixel: "Shares with Facebook and Instagram which pages you viewed here.",
    youtube: "Shows videos; Google learns which ones you watch, and where.",
  },
};

const fr: Texts = {
  topTitle: "Avant de continuer",
  title: "Votre choix pour les cookies",
  message:
    "<p>Ce site fonctionne sans les services qui suivent. <strong>Ils restent éteints tant que vous n’avez pas dit oui</strong>, et vous pouvez changer d’avis à tout moment.</p>",
  kinds: {
    functional: {
      title: "Confort",
      subTitle: "Fonctions du site",
      message:
        "<p>Des fonctions fournies par d’autres entreprises, comme un chat ou une carte.</p>",
    },
    social: {
      title: "Réseaux sociaux",
      subTitle: "Publications et boutons des réseaux",
      message:
        "<p>Des publications et boutons de réseaux sociaux, qui apprennent alors votre visite.</p>",
    },
    necessary: {
      title: "Nécessaire",
      subTitle: "Toujours actif",
      message: "<p>Ce dont le site a besoin pour fonctionner. Cela ne peut pas être désactivé.</p>",
    },
    analytics: {
      title: "Savoir ce qui est utile",
      subTitle: "Mesure d’audience",
      message: "<p>Quelles pages servent, et lesquelles personne ne lit.</p>",
    },
    advertising: {
      title: "Publicité",
      subTitle: "Publicité sur d’autres sites",
      message: "<p>Si des annonces amènent quelqu’un ici, et à qui elles sont montrées.</p>",
    },
    media: {
      title: "Vidéos",
      subTitle: "Contenus venus d’ailleurs",
      message:
        "<p>Les vidéos viennent d’une autre entreprise, qui apprend alors que vous les regardez.</p>",
    },
  },
  services: {
    google_analytics: "Mesure quelles pages sont visitées et comment on a trouvé le site.",
    matomo: "Mesure quelles pages sont visitées, pour ce site seulement.",
    hotjar: "Enregistre les clics et le défilement, pour voir où une page déroute.",
    google_ads: "Mesure si une annonce sur Google a mené ici.",
    meta_pixel: "Dit à Facebook et Instagram quelles pages vous avez regardées ici.",
    youtube: "Montre des vidéos ; Google apprend lesquelles vous regardez, et où.",
  },
};

const de: Texts = {
  topTitle: "Bevor es weitergeht",
  title: "Ihre Wahl zu Cookies",
  message:
    "<p>Diese Website funktioniert ohne die folgenden Dienste. <strong>Sie bleiben aus, bis Sie zustimmen</strong>, und Sie können Ihre Wahl jederzeit ändern.</p>",
  kinds: {
    functional: {
      title: "Komfort",
      subTitle: "Funktionen der Website",
      message: "<p>Funktionen anderer Unternehmen, etwa ein Chat oder eine Karte.</p>",
    },
    social: {
      title: "Soziale Netzwerke",
      subTitle: "Beiträge und Knöpfe von Netzwerken",
      message: "<p>Beiträge und Knöpfe sozialer Netzwerke, die dann von Ihrem Besuch erfahren.</p>",
    },
    necessary: {
      title: "Notwendig",
      subTitle: "Immer aktiv",
      message:
        "<p>Was die Website braucht, um zu funktionieren. Es kann nicht abgeschaltet werden.</p>",
    },
    analytics: {
      title: "Wissen, was nützt",
      subTitle: "Reichweitenmessung",
      message: "<p>Welche Seiten helfen, und welche niemand liest.</p>",
    },
    advertising: {
      title: "Werbung",
      subTitle: "Werbung auf anderen Websites",
      message: "<p>Ob Anzeigen jemanden hierher führen, und wem sie gezeigt werden.</p>",
    },
    media: {
      title: "Videos",
      subTitle: "Inhalte von anderswo",
      message:
        "<p>Videos kommen von einem anderen Unternehmen, das dann erfährt, dass Sie sie ansehen.</p>",
    },
  },
  services: {
    google_analytics: "Misst, welche Seiten besucht werden und wie Besucher hierher fanden.",
    matomo: "Misst, welche Seiten besucht werden, nur für diese Website.",
    hotjar: "Zeichnet Klicks und Scrollen auf, um zu zeigen, wo eine Seite verwirrt.",
    google_ads: "Misst, ob eine Anzeige bei Google hierher geführt hat.",
    meta_pixel: "Sagt Facebook und Instagram, welche Seiten Sie hier angesehen haben.",
    youtube: "Zeigt Videos; Google erfährt, welche Sie ansehen und wo.",
  },
};

const es: Texts = {
  topTitle: "Antes de seguir",
  title: "Su elección sobre las cookies",
  message:
    "<p>Este sitio funciona sin los servicios siguientes. <strong>Permanecen apagados hasta que usted diga que sí</strong>, y puede cambiar de opinión en cualquier momento.</p>",
  kinds: {
    functional: {
      title: "Comodidad",
      subTitle: "Funciones del sitio",
      message: "<p>Funciones que ofrecen otras empresas, como un chat o un mapa.</p>",
    },
    social: {
      title: "Redes sociales",
      subTitle: "Publicaciones y botones de redes",
      message:
        "<p>Publicaciones y botones de redes sociales, que saben entonces que usted estuvo aquí.</p>",
    },
    necessary: {
      title: "Necesario",
      subTitle: "Siempre activo",
      message: "<p>Lo que el sitio necesita para funcionar. No se puede desactivar.</p>",
    },
    analytics: {
      title: "Saber qué es útil",
      subTitle: "Medición de audiencia",
      message: "<p>Qué páginas ayudan y cuáles no lee nadie.</p>",
    },
    advertising: {
      title: "Publicidad",
      subTitle: "Publicidad en otros sitios",
      message: "<p>Si los anuncios traen a alguien aquí, y a quién se muestran.</p>",
    },
    media: {
      title: "Vídeos",
      subTitle: "Contenidos de otros sitios",
      message: "<p>Los vídeos vienen de otra empresa, que sabe entonces que usted los ve.</p>",
    },
  },
  services: {
    google_analytics: "Mide qué páginas se visitan y cómo se encontró el sitio.",
    matomo: "Mide qué páginas se visitan, solo para este sitio.",
    hotjar: "Registra los clics y el desplazamiento, para ver dónde confunde una página.",
    google_ads: "Mide si un anuncio en Google trajo hasta aquí.",
    meta_pixel: "Dice a Facebook e Instagram qué páginas ha visto aquí.",
    youtube: "Muestra vídeos; Google sabe cuáles ve y dónde.",
  },
};

const it: Texts = {
  topTitle: "Prima di continuare",
  title: "La sua scelta sui cookie",
  message:
    "<p>Questo sito funziona senza i servizi che seguono. <strong>Restano spenti finché non dice di sì</strong>, e può cambiare idea in ogni momento.</p>",
  kinds: {
    functional: {
      title: "Comodità",
      subTitle: "Funzioni del sito",
      message: "<p>Funzioni offerte da altre aziende, come una chat o una mappa.</p>",
    },
    social: {
      title: "Social network",
      subTitle: "Post e pulsanti dei social",
      message: "<p>Post e pulsanti dei social network, che sanno allora della sua visita.</p>",
    },
    necessary: {
      title: "Necessario",
      subTitle: "Sempre attivo",
      message: "<p>Ciò che serve al sito per funzionare. Non si può disattivare.</p>",
    },
    analytics: {
      title: "Sapere che cosa è utile",
      subTitle: "Misurazione del pubblico",
      message: "<p>Quali pagine servono, e quali non legge nessuno.</p>",
    },
    advertising: {
      title: "Pubblicità",
      subTitle: "Pubblicità su altri siti",
      message: "<p>Se gli annunci portano qualcuno qui, e a chi sono mostrati.</p>",
    },
    media: {
      title: "Video",
      subTitle: "Contenuti da altri siti",
      message: "<p>I video vengono da un’altra azienda, che sa allora che lei li guarda.</p>",
    },
  },
  services: {
    google_analytics: "Misura quali pagine sono visitate e come si è trovato il sito.",
    matomo: "Misura quali pagine sono visitate, solo per questo sito.",
    hotjar: "Registra clic e scorrimento, per mostrare dove una pagina confonde.",
    google_ads: "Misura se un annuncio su Google ha portato qui.",
    meta_pixel: "Dice a Facebook e Instagram quali pagine ha guardato qui.",
    youtube: "Mostra video; Google sa quali guarda e dove.",
  },
};

const nl: Texts = {
  topTitle: "Voordat u verdergaat",
  title: "Uw keuze over cookies",
  message:
    "<p>Deze website werkt zonder de diensten hieronder. <strong>Ze blijven uit tot u ja zegt</strong>, en u kunt op elk moment van gedachten veranderen.</p>",
  kinds: {
    functional: {
      title: "Gemak",
      subTitle: "Functies van de website",
      message: "<p>Functies van andere bedrijven, zoals een chat of een kaart.</p>",
    },
    social: {
      title: "Sociale netwerken",
      subTitle: "Berichten en knoppen van netwerken",
      message: "<p>Berichten en knoppen van sociale netwerken, die dan weten dat u hier was.</p>",
    },
    necessary: {
      title: "Noodzakelijk",
      subTitle: "Altijd aan",
      message: "<p>Wat de website nodig heeft om te werken. Het kan niet worden uitgezet.</p>",
    },
    analytics: {
      title: "Weten wat nuttig is",
      subTitle: "Bereikmeting",
      message: "<p>Welke pagina’s helpen, en welke niemand leest.</p>",
    },
    advertising: {
      title: "Advertenties",
      subTitle: "Advertenties op andere websites",
      message: "<p>Of advertenties iemand hierheen brengen, en aan wie ze worden getoond.</p>",
    },
    media: {
      title: "Video’s",
      subTitle: "Inhoud van elders",
      message:
        "<p>Video’s komen van een ander bedrijf, dat dan te weten komt dat u ze bekijkt.</p>",
    },
  },
  services: {
    google_analytics: "Meet welke pagina’s worden bezocht en hoe men de website vond.",
    matomo: "Meet welke pagina’s worden bezocht, alleen voor deze website.",
    hotjar: "Legt klikken en scrollen vast, om te zien waar een pagina verwart.",
    google_ads: "Meet of een advertentie bij Google hierheen leidde.",
    meta_pixel: "Vertelt Facebook en Instagram welke pagina’s u hier hebt bekeken.",
    youtube: "Toont video’s; Google komt te weten welke u bekijkt, en waar.",
  },
};

/** The texts by language (BCP 47). */
export const texts = { en, fr, de, es, it, nl } satisfies Record<string, Texts>;
export type TextLanguage = keyof typeof texts;
export const textLanguages = Object.keys(texts) as TextLanguage[];
