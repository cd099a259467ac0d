import type { ConsentForm, FormChoice } from "@avow/widget/headless";
import { type RefObject, useEffect, useRef, useState } from "react";
import { delaySubmissions } from "@avow/widget/browser";
import { useConsent } from "../context/hooks.tsx";

/** Saves the answers to a form, one at a time. */
export interface Saving {
  isBusy: boolean;
  hasFailed: boolean;
  clear: () => void;
  /** Returns whether the answer is saved, or kept for later. */
  save: (choice: Pick<FormChoice, "accept" | "value">) => Promise<boolean>;
}

export function useSaving({ configuration: { identifier } }: ConsentForm): Saving {
  const { answerForm, showForm } = useConsent();
  const [status, setStatus] = useState<"idle" | "busy" | "failed">("idle");
  const sending = useRef<Promise<boolean>>(undefined);
  const send = async ({ accept, value }: Pick<FormChoice, "accept" | "value">) => {
    setStatus("busy");
    try {
      await answerForm(identifier, accept, value);
      setStatus("idle");
      return true;
    } catch {
      // The state has the error.
      setStatus("failed");
      return false;
    } finally {
      sending.current = undefined;
      // A ticket is for one answer, and the next one may follow.
      showForm(identifier);
    }
  };
  return {
    isBusy: status === "busy",
    hasFailed: status === "failed",
    clear: () => setStatus("idle"),
    save: (choice) => (sending.current ??= send(choice)),
  };
}

interface Unsaved {
  /** An element in the HTML form. */
  place: RefObject<Element | null>;
  isUnsaved: () => boolean;
  save: () => Promise<boolean>;
  /** Called when the HTML form is reset. */
  onReset: () => void;
}

/** Saves an answer before the HTML form around it is submitted. */
export function useSubmission(unsaved: Unsaved): void {
  const current = useRef(unsaved);
  useEffect(() => {
    current.current = unsaved;
  });
  const { place } = unsaved;
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const part = {
      host: element,
      place: element,
      isUnsaved: () => current.current.isUnsaved(),
      save: () => current.current.save(),
    };
    const reset = (): void => current.current.onReset();
    const form = element.closest("form");
    form?.addEventListener("reset", reset);
    const stop = delaySubmissions(() => [part]);
    return () => {
      stop();
      form?.removeEventListener("reset", reset);
    };
  }, [place]);
}
