"use client";
// import { useConsent } from "@avow/react/hooks": without a document, so that React Native uses it, too.
import type {
  Consent,
  ConsentForm as PublishedForm,
  ConsentState,
  FormName,
  VendorName,
} from "@avow/widget/headless";
import {
  type ReactNode,
  createContext,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from "react";

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

/** Whether all of these vendors may run; false without a vendor. */
export function useIsAccepted(...vendors: readonly VendorName[]): boolean {
  const { state } = useConsent();
  return vendors.length > 0 && vendors.every((vendor) => state.vendors[vendor] === true);
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

/** Missing forms that have been reported: strict mode runs effects twice. */
const reported = new Set<string>();

/** A published form by its name or identifier. Without one it is undefined, and the console has an error. */
export function usePublishedForm(name: FormName): PublishedForm | undefined {
  const { state, getForm } = useConsent();
  const isReady = state.status === "ready";
  const form = isReady ? findForm(getForm, name) : undefined;
  const isMissing = isReady && !form;
  useEffect(() => {
    if (!isMissing || reported.has(name)) return;
    reported.add(name);
    // oxlint-disable-next-line no-console -- For the developer of the page.
    console.error(`Avow: no form "${name}" is published.`);
  }, [isMissing, name]);
  return form;
}

function findForm(getForm: Consent["getForm"], name: FormName): PublishedForm | undefined {
  try {
    return getForm(name);
  } catch {
    return undefined;
  }
}
