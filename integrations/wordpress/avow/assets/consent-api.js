// Passes the visitor's answers to the WP Consent API, and its refusals back: a category is allowed if all of its vendors may
// run.
(function () {
  "use strict";

  /** @type {Record<string, string[]>} */
  const categories = window.avowCategories || {};

  let isPassing = false;

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
    if (window.wp_has_consent(category) === isAllowed) return;
    isPassing = true;
    try {
      window.wp_set_consent(category, isAllowed ? "allow" : "deny");
    } finally {
      isPassing = false;
    }
  }

  /**
   * Another plugin may let the visitor refuse. Only refusals are adopted: an allowed category is no answer to the question
   * of this project, which names its vendors.
   */
  async function adopt(detail) {
    const { avow } = window;
    if (!avow) return;
    await avow.ready;
    const names = Object.entries(categories)
      .filter(([category]) => detail[category] === "deny")
      .flatMap(([, of]) => of)
      .filter((name) => avow.vendors[name]);
    if (names.length > 0) await avow.answer(Object.fromEntries(names.map((name) => [name, false])));
  }

  document.addEventListener("avow:ready", (event) => pass(event.detail.vendors));
  document.addEventListener("avow:answered", (event) => pass(event.detail.vendors));
  document.addEventListener("wp_listen_for_consent_change", ({ detail }) => {
    // The event is sent while `wp_set_consent` runs.
    if (!isPassing) adopt(detail ?? {}).catch((error) => console.warn(error));
  });
  // The widget may have been ready before this script.
  if (window.avow)
    window.avow.ready.then(
      () => pass(window.avow.vendors),
      () => undefined,
    );
})();
