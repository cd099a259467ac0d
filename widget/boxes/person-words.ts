/** What is said, by language, where somebody's own page cannot be opened: with the file that nobody else loads. */
export const unreachable: Readonly<Record<string, string>> = {
  en: "Not possible right now. Please try again later.",
  fr: "Impossible pour le moment. Merci de réessayer plus tard.",
  de: "Im Moment nicht möglich. Bitte versuchen Sie es später noch einmal.",
  es: "No es posible en este momento. Inténtelo más tarde.",
  it: "Al momento non è possibile. Riprovi più tardi.",
  nl: "Nu niet mogelijk. Probeer het later opnieuw.",
  ar: "غير ممكن الآن. يرجى المحاولة لاحقًا.",
};
