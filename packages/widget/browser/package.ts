// import { connectPage, createBrowserConsent } from "@avow/widget/browser"
export { type BrowserConsentOptions, createBrowserConsent } from "./consent.ts";
export { toTrustedUrl } from "../page/trusted.ts";
export { createCookieStorage } from "./storage.ts";
export { type SavedPart, delaySubmissions } from "../boxes/submissions.ts";
export { type PageOptions, connectPage } from "./page.ts";
