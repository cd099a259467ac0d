const RELOAD_AFTER_MS = 300;

/** Does not use `reload()`, which would submit a form again. */
function reloadPage(): void {
  location.replace(location.pathname + location.search);
}

/** Reloads the page after a withdrawal, when the network is there: a running script cannot be stopped. */
export function reloadSoon(): void {
  if (navigator.onLine) setTimeout(reloadPage, RELOAD_AFTER_MS);
  else addEventListener("online", reloadPage);
}
