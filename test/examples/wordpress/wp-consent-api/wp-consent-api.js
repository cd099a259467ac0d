// The documented functions and events of the WP Consent API in browsers, for tests.
(function () {
  function read(category) {
    const [, value = ""] =
      new RegExp(`(?:^|; )wp_consent_${category}=([^;]*)`).exec(document.cookie) ?? [];
    return value;
  }

  window.wp_has_consent = (category) => {
    const type = window.wp_consent_type ?? window.consent_api.consent_type;
    const value = read(category);
    return !type || value === "allow" || (type === "optout" && value === "");
  };

  window.wp_set_consent = (category, value) => {
    document.cookie = `wp_consent_${category}=${value};path=/;max-age=2592000`;
    const detail = [];
    detail[category] = value;
    document.dispatchEvent(new CustomEvent("wp_listen_for_consent_change", { detail }));
  };
})();
