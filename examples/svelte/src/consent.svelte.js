import { connectPage, createBrowserConsent } from "@avow/widget/browser";
import { createSubscriber } from "svelte/reactivity";
import { project, url } from "./settings.js";

export const consent = createBrowserConsent({ project, url });
connectPage(consent);

const subscribe = createSubscriber((update) => consent.subscribe(update));

/** The state of the visitor: effects and templates that read it run again after each change. */
export const visitor = {
  get state() {
    subscribe();
    return consent.getState();
  },
};

/** Calls `run` once, as soon as a vendor may run. Call it while a component is created. */
export function onAccepted(vendor, run) {
  let hasRun = false;
  $effect(() => {
    if (hasRun || !visitor.state.vendors[vendor]) return;
    hasRun = true;
    run();
  });
}
