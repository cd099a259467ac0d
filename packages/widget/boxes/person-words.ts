/**
 * What is said, by language, where somebody's own page cannot be opened: with the file that nobody else loads. The
 * second is for a project that gives the page to nobody by the token alone.
 */
export const unreachable: Readonly<Record<string, readonly [now: string, here: string]>> = {
  en: [
    "Not possible right now. Please try again later.",
    "Not possible from here. Please ask this site.",
  ],
  fr: [
    "Impossible pour le moment. Merci de réessayer plus tard.",
    "Impossible depuis cette page. Merci de vous adresser au site.",
  ],
  de: [
    "Im Moment nicht möglich. Bitte versuchen Sie es später noch einmal.",
    "Von hier aus nicht möglich. Bitte fragen Sie bei dieser Website nach.",
  ],
  es: [
    "No es posible en este momento. Inténtelo más tarde.",
    "No es posible desde aquí. Consulte a este sitio.",
  ],
  it: [
    "Al momento non è possibile. Riprovi più tardi.",
    "Da qui non è possibile. Si rivolga a questo sito.",
  ],
  nl: [
    "Nu niet mogelijk. Probeer het later opnieuw.",
    "Niet mogelijk vanaf hier. Vraag het aan deze site.",
  ],
  ar: ["غير ممكن الآن. يرجى المحاولة لاحقًا.", "غير ممكن من هنا. يرجى سؤال هذا الموقع."],
};
