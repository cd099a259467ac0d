/** Other consent tools whose stored answers the widget reads, with the names that people know them by. */
export const consentToolNames = {
  axeptio: "Axeptio",
  c15t: "c15t",
  cookiebot: "Cookiebot",
  cookieconsent: "CookieConsent (orestbida)",
  didomi: "Didomi",
  klaro: "Klaro",
  onetrust: "OneTrust",
  tarteaucitron: "tarteaucitron",
  usercentrics: "Usercentrics",
} as const;

export type ConsentTool = keyof typeof consentToolNames;
export const consentTools = Object.keys(consentToolNames) as ConsentTool[];
