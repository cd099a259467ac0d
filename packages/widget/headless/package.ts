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
export type {
  AppKeys,
  Consent,
  ConsentAnswer,
  ConsentForm,
  ConsentNames,
  ConsentOffer,
  ConsentOptions,
  ConsentRecord,
  ConsentSnapshot,
  ConsentState,
  ConsentView,
  FormAnswer,
  FormName,
  OfferButton,
  SentAnswer,
  StoredVisitor,
  TcfChoices,
  TcfDraft,
  VendorName,
} from "./api.ts";
export type {
  FormConfiguration,
  FormConfirmation,
  FormProcessor,
  OfferConfiguration,
  OfferStep,
  OfferStoredItem,
  OfferVendor,
  TcfList,
  TcfPartner,
  TcfText,
} from "./content.ts";
export {
  type MessageElement,
  type MessageNode,
  isLinkable,
  parseMessage,
} from "../texts/message.ts";
export type { Transport, TransportInit, TransportResponse } from "../core/transport.ts";
