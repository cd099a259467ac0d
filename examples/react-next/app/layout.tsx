import "@avow/react/styles.css";
import "./shop.css";
import { ConsentBanner, ConsentProvider } from "@avow/react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { signInOrOut } from "./account/sign-in";
import { findAccount, readConsent } from "./consent/read-consent";
import { settings } from "./consent/settings";
import { PrivacyButton } from "./privacy-button";

export const metadata: Metadata = {
  title: "Hearth & Clay",
  description: "Pots for bread, soup and coffee, thrown by hand.",
};

export default async function Layout({ children }: { children: ReactNode }) {
  const [{ snapshot }, account] = await Promise.all([readConsent(), findAccount()]);
  return (
    <html lang="en">
      <body>
        <ConsentProvider {...settings} snapshot={snapshot} token={account}>
          <ConsentBanner />
          <header className="bar">
            <a className="brand" href="/">
              Hearth &amp; Clay
            </a>
            <form action={signInOrOut}>
              {account === undefined ? (
                <>
                  <input
                    name="account"
                    aria-label="Customer number"
                    placeholder="Customer number"
                  />
                  <button>Sign in</button>
                </>
              ) : (
                <button name="account" value="">
                  Sign out
                </button>
              )}
            </form>
          </header>
          {children}
          <footer className="bar">
            <p>Made in Avignon</p>
            <PrivacyButton />
          </footer>
        </ConsentProvider>
      </body>
    </html>
  );
}
