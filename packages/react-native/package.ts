// import { ConsentProvider, ConsentScreen } from "@avow/react-native"
export { ConsentGate, useConsent, useIsAccepted } from "@avow/react/hooks";
export { type ConsentProviderProps, ConsentProvider, usePrivacyOptions } from "./provider.tsx";
export { type ConsentScreenProps, ConsentScreen } from "./screen.tsx";
export { type ConsentFormProps, ConsentForm } from "./form.tsx";
export type { ConsentColors } from "./look.ts";
export type { AppKeys, KeyValueStorage } from "@avow/widget/headless";
