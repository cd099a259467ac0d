"use client";
import { createConsent } from "@avow/widget/headless";
import type { Consent } from "@avow/widget/headless";
import { type BrowserConsentOptions, createBrowserConsent } from "@avow/widget/browser";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConsentContextProvider } from "./hooks.tsx";
import { type PageConnection, PageConnectionContext, openPageConnection } from "./connection.ts";
import { ThemeStyle } from "./theme.tsx";

interface PageProps {
  children?: ReactNode;
  /** As `PageOptions.consentMode` of `@avow/widget/browser`. */
  consentMode?: boolean | "site" | undefined;
  /** The nonce of the page's policy, for blocked scripts and for the project's design. */
  nonce?: string | undefined;
  /** Whether the project's published design applies (true). Set false to write the custom properties yourself. */
  theme?: boolean | undefined;
}

/** Options of a consent that the provider creates; without functions, so that a server component can pass them. */
type CreatedProps = BrowserConsentOptions & { consent?: undefined };

/** Properties of `ConsentProvider`: either the options of a consent, or a consent of your own. */
export type ConsentProviderProps = PageProps & (CreatedProps | { consent: Consent });

/**
 * Provides the visitor's consent to the components below, and applies it to the page (`connectPage`). Rendered on a server
 * and hydrated, it begins with the state of `snapshot`, or with `loading`. Changes of options other than `token` have no
 * effect.
 */
export function ConsentProvider(props: ConsentProviderProps): ReactNode {
  const { children, consentMode, nonce, theme = true } = props;
  const [opened] = useState(() => open(props));
  const { consent, connection } = opened;
  useEffect(() => {
    consent.start();
    return connection.connect({ consentMode, nonce });
  }, [consent, connection, consentMode, nonce]);
  // The token of a consent of the app's own is the app's.
  const token = props.consent ? consent.options.token : props.token;
  const identified = useRef(consent.options.token);
  useEffect(() => {
    if (token === identified.current) return;
    identified.current = token;
    // Signed in, or out without a token.
    consent.identify(token ?? "").catch(() => undefined);
  }, [consent, token]);
  return (
    <ConsentContextProvider consent={consent}>
      <PageConnectionContext.Provider value={connection}>
        {theme && <ThemeStyle nonce={nonce} />}
        {children}
      </PageConnectionContext.Provider>
    </ConsentContextProvider>
  );
}

function open(props: ConsentProviderProps): { consent: Consent; connection: PageConnection } {
  const consent = props.consent ?? create(props);
  return { consent, connection: openPageConnection(consent) };
}

/** React may discard a render, and calls it twice in strict mode: the consent starts in an effect. */
function create({
  children: _children,
  theme: _theme,
  ...options
}: PageProps & CreatedProps): Consent {
  const isBrowser = typeof document === "object";
  return (isBrowser ? createBrowserConsent : createConsent)({
    // The layout `iab` is drawn by the widget.
    withoutTcf: true,
    ...options,
    deferred: true,
  });
}
