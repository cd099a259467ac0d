/** Which languages the service writes to people in. */
export const mailLanguages = ["en", "fr"] as const;
export type MailLanguage = (typeof mailLanguages)[number];
