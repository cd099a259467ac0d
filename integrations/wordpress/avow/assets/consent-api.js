// Passes the visitor's answers to the WP Consent API: a category is allowed if all of its vendors may run.
(function () {
  "use strict";

  /** @type {Record<string, string[]>} */
  const categories = window.avowCategories || {};

  // The WP Consent API expects the banner to set the type and to announce it.
  window.wp_consent_type = "optin";
  document.dispatchEvent(new CustomEvent("wp_consent_type_defined"));

  /** @param {Record<string, boolean>} vendors */
  function pass(vendors) {
    set("functional", true);
    for (const [category, names] of Object.entries(categories))
      set(category, names.length > 0 && names.every((name) => vendors[name]));
  }

  // Only changes: no cookie of a category that was never allowed, and listeners are called once for each change.
  function set(category, isAllowed) {
    if (window.wp_has_consent(category) !== isAllowed)
      window.wp_set_consent(category, isAllowed ? "allow" : "deny");
  }

  document.addEventListener("avow:ready", (event) => pass(event.detail.vendors));
  document.addEventListener("avow:answered", (event) => pass(event.detail.vendors));
  // The widget may have been ready before this script.
  if (window.avow)
    window.avow.ready.then(
      () => pass(window.avow.vendors),
      () => undefined,
    );
})();
