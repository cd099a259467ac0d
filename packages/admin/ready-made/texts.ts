/** The texts of a ready-made banner in a language. */
export interface Texts {
  topTitle: string;
  title: string;
  message: string;
  kinds: Record<Kind, { title: string; subTitle: string; message: string }>;
  /** A sentence about each service. */
  services: Record<ServiceName, string>;
}

export type Kind = "analytics" | "advertising" | "media";
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
