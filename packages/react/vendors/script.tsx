"use client";
import { toTrustedUrl } from "@avow/widget/browser";
import type { VendorName } from "@avow/widget/headless";
import { type ReactNode, useEffect } from "react";
import { useIsAccepted } from "../context/hooks.tsx";

/** Properties of `ConsentScript`. */
export interface ConsentScriptProps {
  /** The vendors that must be accepted. */
  vendor: VendorName | readonly VendorName[];
  src: string;
  /** The nonce of the page's policy. */
  nonce?: string | undefined;
  /** Such as `module`. */
  type?: string | undefined;
}

/**
 * Loads a script of a vendor once per page, as soon as its vendors may run. A running script cannot be stopped: after a
 * withdrawal the page reloads (`connectPage`).
 */
export function ConsentScript({ vendor, src, nonce, type }: ConsentScriptProps): ReactNode {
  const isAccepted = useIsAccepted(...(typeof vendor === "string" ? [vendor] : vendor));
  useEffect(() => {
    const address = new URL(src, document.baseURI).href;
    if (!isAccepted || [...document.scripts].some((one) => one.src === address)) return;
    const script = document.createElement("script");
    if (nonce !== undefined) script.nonce = nonce;
    if (type !== undefined) script.type = type;
    script.async = true;
    script.src = toTrustedUrl(src);
    document.head.append(script);
  }, [isAccepted, src, nonce, type]);
  return null;
}
