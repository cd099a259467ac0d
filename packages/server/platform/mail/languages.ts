/** The languages of mails. */
export const mailLanguages = ["en", "fr"] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The language of mails about a project whose first language is `locale` (BCP 47); English if mails do not have it. */
export function toMailLanguage(locale: string | null | undefined): MailLanguage {
  const first = locale?.toLowerCase() ?? "";
  return mailLanguages.find((one) => first.startsWith(one)) ?? mailLanguages[0];
}
