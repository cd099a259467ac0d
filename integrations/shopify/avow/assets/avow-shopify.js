// Passes the visitor's answers to Shopify's Customer Privacy API, and back. Shopify applies them to its pixels, audiences
// and checkout. Source: https://shopify.dev/docs/api/customer-privacy
(function () {
  "use strict";

  const toNames = (text = "") => text.split(/[\s,]+/).filter(Boolean);
  const { analytics, marketing, preferences, saleOfData } = document.currentScript.dataset;
  /** The vendors of each purpose, by the names of `setTrackingConsent`. Purposes without vendors are left to Shopify. */
  const purposes = Object.entries({
    analytics: toNames(analytics),
    marketing: toNames(marketing),
    preferences: toNames(preferences),
    sale_of_data: toNames(saleOfData),
  }).filter(([, names]) => names.length > 0);
  /** The names in the detail of `visitorConsentCollected`. */
  const allowedNames = {
    analytics: "analyticsAllowed",
    marketing: "marketingAllowed",
    preferences: "preferencesAllowed",
    sale_of_data: "saleOfDataAllowed",
  };

  function toConsent(vendors) {
    return Object.fromEntries(
      purposes.map(([purpose, names]) => [purpose, names.every((name) => vendors[name])]),
    );
  }

  /** Resolves with the API once Shopify has loaded it; rejects if it cannot be loaded. */
  const loading = new Promise((resolve, reject) => {
    const load = () =>
      window.Shopify.loadFeatures([{ name: "consent-tracking-api", version: "0.1" }], (error) => {
        if (error) reject(error);
        else resolve(window.Shopify.customerPrivacy);
      });
    if (window.Shopify?.customerPrivacy) resolve(window.Shopify.customerPrivacy);
    else if (window.Shopify?.loadFeatures) load();
    else reject(new Error("Avow: this page has no Shopify.loadFeatures."));
  });

  // Each call below reports the rejection.
  loading.catch(() => undefined);

  async function pass(vendors, isAnswer) {
    if (purposes.length === 0) return;
    const api = await loading;
    const consent = toConsent(vendors);
    const current = api.currentVisitorConsent();
    // Without an answer, Shopify's own default for the region applies, unless a vendor may run.
    const isChanged = purposes.some(
      ([purpose]) => consent[purpose] !== (current[purpose] === "yes"),
    );
    if (isAnswer || isChanged) api.setTrackingConsent(consent, () => undefined);
  }

  /**
   * The visitor may also opt out on pages of Shopify, such as the one for the sale of data. Only refusals are adopted:
   * Shopify also says that a purpose is allowed where nobody was asked.
   */
  async function adopt(detail) {
    const { avow } = window;
    if (!avow) return;
    await avow.ready;
    const { vendors } = avow;
    const consent = toConsent(vendors);
    const refused = purposes.filter(
      ([purpose]) => consent[purpose] && detail[allowedNames[purpose]] === false,
    );
    const names = refused.flatMap(([, of]) => of).filter((name) => vendors[name]);
    if (names.length > 0) await avow.answer(Object.fromEntries(names.map((name) => [name, false])));
  }

  const report = (error) => console.warn(error);
  document.addEventListener("avow:answered", ({ detail }) => {
    pass(detail.vendors, true).catch(report);
  });
  document.addEventListener("avow:ready", ({ detail }) => {
    pass(detail.vendors, false).catch(report);
  });
  document.addEventListener("visitorConsentCollected", ({ detail }) => {
    adopt(detail ?? {}).catch(report);
  });
  // The widget may have been ready before this script.
  window.avow?.ready.then(() => pass(window.avow.vendors, false)).catch(report);
})();
