"use client";
import { useConsent } from "@avow/react";

/** Opens the visitor's choices: consent is as easy to withdraw as to give. */
export function PrivacyButton() {
  const { show } = useConsent();
  return (
    <button type="button" onClick={() => void show()}>
      Privacy choices
    </button>
  );
}
