// import { createAvow, useConsent } from "@avow/vue"
export { type Avow, type AvowOptions, createAvow } from "./consent/plugin.ts";
export { type VisitorConsent, onAccepted, useConsent } from "./consent/use-consent.ts";
export { ConsentGate } from "./consent/gate.ts";
export { Embed } from "./embed.ts";
export { ConsentBanner } from "./banner/banner.ts";
export { PreferenceCenter } from "./banner/preferences.ts";
export { ConsentForm } from "./form/form.ts";
