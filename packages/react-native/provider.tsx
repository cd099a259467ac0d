import { ConsentContextProvider, useConsent } from "@avow/react/hooks";
import {
  type Consent,
  type ConsentOptions,
  type KeyValueStorage,
  createConsent,
  toConsentStorage,
} from "@avow/widget/headless";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { AppState } from "react-native";

interface AppProps {
  /** Whether the network is reachable, if the app knows: unsent answers are sent when it returns. */
  isConnected?: boolean | undefined;
  children?: ReactNode;
}

/** Options of a consent that the provider creates. */
interface CreatedProps extends Omit<ConsentOptions, "storage" | "snapshot"> {
  /** AsyncStorage, or any other storage with `getItem` and `setItem`. */
  storage: KeyValueStorage;
  consent?: undefined;
}

/** Properties of `ConsentProvider`: either the options of a consent, or a consent of your own. */
export type ConsentProviderProps = AppProps & (CreatedProps | { consent: Consent });

/**
 * Provides the visitor's consent to the components below. The published file is kept, so that the app starts without a
 * network. Changes of options other than `token` and `isConnected` have no effect.
 */
export function ConsentProvider(props: ConsentProviderProps): ReactNode {
  const { children, isConnected } = props;
  const [consent, setConsent] = useState(() => props.consent ?? create(props));
  /** Loads the project if that has failed, and sends unsent answers. */
  const resume = (): void => {
    if (!props.consent && consent.getState().status === "failed") setConsent(create(props));
    else consent.flush().catch(() => undefined);
  };
  const latest = useRef(resume);
  useEffect(() => {
    latest.current = resume;
  });
  useEffect(() => {
    const listening = AppState.addEventListener("change", (state) => {
      if (state === "active") latest.current();
    });
    return () => listening.remove();
  }, []);
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    if (isConnected === true && wasConnected.current === false) latest.current();
    wasConnected.current = isConnected;
  }, [isConnected]);
  useEffect(() => consent.start(), [consent]);
  // The token of a consent of the app's own is the app's.
  const token = props.consent ? consent.options.token : props.token;
  const opened = useRef({ consent, token });
  useEffect(() => {
    const before = opened.current;
    opened.current = { consent, token };
    // Signed in, or out without a token; the token of a new consent is an option.
    if (token !== before.token && consent === before.consent)
      consent.identify(token ?? "").catch(() => undefined);
  }, [consent, token]);
  return <ConsentContextProvider consent={consent}>{children}</ConsentContextProvider>;
}

function create({
  children: _children,
  isConnected: _isConnected,
  storage,
  ...options
}: AppProps & CreatedProps): Consent {
  return createConsent({
    offline: true,
    languages: toLanguages(),
    ...options,
    storage: toConsentStorage(storage),
  });
}

/** Returns a function that opens the preferences, for a button such as _Privacy_ in the settings of the app. */
export function usePrivacyOptions(): () => void {
  const { show } = useConsent();
  return () => {
    show().catch(() => undefined);
  };
}

/** The language of the device; none where Hermes is built without Intl. */
function toLanguages(): string[] {
  return typeof Intl === "object" ? [new Intl.DateTimeFormat().resolvedOptions().locale] : [];
}
