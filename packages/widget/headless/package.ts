// import { createConsent } from "@avow/widget/headless"
export { createConsent } from "./consent.ts";
export {
  type ConsentStorage,
  type KeyValueStorage,
  type Lifetime,
  createMemoryStorage,
  fetchTransport,
  toConsentStorage,
} from "./ports.ts";
// All of them: `npx avow types` extends `ConsentNames`, which a list of names would hide (TypeScript, module augmentation).
export type * from "./api.ts";
export type * from "./content.ts";
export { toDay, toDuration } from "../texts/language.ts";
export {
  type MessageElement,
  type MessageNode,
  isLinkable,
  parseMessage,
} from "../texts/message.ts";
export type { Transport, TransportInit, TransportResponse } from "../core/sending/transport.ts";
