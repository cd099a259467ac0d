/** The languages of mails. */
export const mailLanguages = ["en", "fr"] as const;
export type MailLanguage = (typeof mailLanguages)[number];
