"use client";
import type { ConsentOffer } from "@avow/widget/headless";
import { type ReactNode, useContext, useEffect } from "react";
import { PageConnectionContext } from "../context/connection.ts";
import { useConsent } from "../context/hooks.tsx";

/** Whether an offer asks by IAB's TCF. */
export function isIab({ steps }: ConsentOffer): boolean {
  return steps.some(({ layout }) => layout === "iab");
}

/**
 * The widget's banner, for the layout `iab`, whose choices are not drawn here. It is loaded only then, and runs the page's
 * tags itself; the state follows its answers.
 */
export function IabBanner(): ReactNode {
  const { state, close } = useConsent();
  const connection = useContext(PageConnectionContext);
  const isOpening = state.view !== "closed";
  useEffect(() => {
    // Without a page connection, the app has its own provider and draws the choices by `consent.tcf()`.
    const opening = connection?.openWidget();
    opening?.catch(reportError);
    if (!isOpening) return;
    void opening?.then((widget) => widget.open()).catch(reportError);
    close();
  }, [connection, isOpening, close]);
  return null;
}
