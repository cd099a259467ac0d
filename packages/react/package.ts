// import { ConsentProvider, useConsent } from "@avow/react"
export { ConsentGate, useConsent, useIsAccepted } from "./context/hooks.tsx";
export { ConsentProvider, type ConsentProviderProps } from "./context/provider.tsx";
export { ConsentBanner, type ConsentBannerProps } from "./banner/banner.tsx";
export { PreferenceCenter, type PreferenceCenterProps } from "./banner/preference-center.tsx";
export type { BannerClassNames, BannerPart } from "./content/class-names.ts";
export { ConsentForm, type ConsentFormProps } from "./forms/form.tsx";
export { Embed, type EmbedProps } from "./vendors/embed.tsx";
export { ConsentScript, type ConsentScriptProps } from "./vendors/script.tsx";
export { Message } from "./content/message.tsx";
