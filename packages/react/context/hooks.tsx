"use client";
// import { useConsent } from "@avow/react/hooks": without a document, so that React Native uses it, too.
import type { Consent, ConsentState, VendorName } from "@avow/widget/headless";
import { type ReactNode, createContext, useContext, useMemo, useSyncExternalStore } from "react";

const ConsentContext = createContext<Consent | undefined>(undefined);

/** Provides a consent to the components below. */
export function ConsentContextProvider({
  consent,
  children,
}: {
  consent: Consent;
  children?: ReactNode;
}): ReactNode {
  return <ConsentContext.Provider value={consent}>{children}</ConsentContext.Provider>;
}

/** The consent of the visitor, and its state. The component renders again after each change. */
export function useConsent(): Consent & { state: ConsentState } {
  const consent = useContext(ConsentContext);
  if (!consent) throw new Error("useConsent needs a ConsentProvider above the component.");
  const { subscribe, getState } = consent;
  const state = useSyncExternalStore(subscribe, getState, getState);
  return useMemo(() => ({ ...consent, state }), [consent, state]);
}

/** Whether all of these vendors may run. */
export function useIsAccepted(...vendors: readonly VendorName[]): boolean {
  const { state } = useConsent();
  return vendors.every((vendor) => state.vendors[vendor] === true);
}

/** Shows its children only while all of its vendors may run, and `fallback` otherwise. */
export function ConsentGate({
  vendor,
  fallback,
  children,
}: {
  vendor: VendorName | readonly VendorName[];
  fallback?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  const vendors = typeof vendor === "string" ? [vendor] : vendor;
  return useIsAccepted(...vendors) ? children : fallback;
}
