// import { connectPage, createBrowserConsent } from "@avow/widget/browser"
export { type BrowserConsentOptions, createBrowserConsent } from "./consent.ts";
export { createCookieStorage } from "./storage.ts";
export { type PageOptions, connectPage } from "./page.ts";
