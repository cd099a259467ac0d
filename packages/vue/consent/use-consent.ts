import type { Consent, ConsentState, VendorName } from "@avow/widget/headless";
import { type ShallowRef, inject, onMounted, watch } from "vue";
import { avowKey } from "./plugin.ts";

/** The consent of the visitor, with its reactive state. */
export interface VisitorConsent extends Consent {
  state: Readonly<ShallowRef<ConsentState>>;
}

/** The consent of the visitor. @throws Error without the plugin */
export function useConsent(): VisitorConsent {
  const avow = inject(avowKey, undefined);
  if (!avow) throw new Error("useConsent needs the plugin: app.use(createAvow({ … })).");
  onMounted(avow.start);
  return { ...avow.consent, state: avow.state };
}

/**
 * Whether all of these vendors may run, as a function to call in a template, a computed value or a watcher; false without a
 * vendor.
 */
export function useIsAccepted(vendor: () => VendorName | readonly VendorName[]): () => boolean {
  const { state } = useConsent();
  return () => {
    const names = [vendor()].flat();
    return names.length > 0 && names.every((name) => state.value.vendors[name] === true);
  };
}

/**
 * Calls `run` once in the browser, as soon as all of these vendors may run: to load a tag. A page is reloaded when a vendor
 * that ran is refused.
 */
export function onAccepted(vendor: VendorName | readonly VendorName[], run: () => unknown): void {
  const isAccepted = useIsAccepted(() => vendor);
  let hasRun = false;
  const runOnce = (isOn: boolean): void => {
    if (!isOn || hasRun) return;
    hasRun = true;
    run();
  };
  onMounted(() => watch(isAccepted, runOnce, { immediate: true }));
}
