"use client";
import type { ConsentForm as PublishedForm, FormName } from "@avow/widget/headless";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useConsent, usePublishedForm } from "../context/hooks.tsx";
import { ContractForm } from "./contract.tsx";
import { ProcessingForm } from "./processing.tsx";

/** Properties of `ConsentForm`. */
export interface ConsentFormProps {
  /** The name or the identifier of a consent form or of a contract form. */
  form: FormName;
  /** Additional classes. */
  className?: string | undefined;
}

/**
 * A published consent form, which saves an answer at once, or a contract form. A contract form has a checkbox, which
 * belongs to the HTML form around it: submitting that saves it first.
 */
export function ConsentForm({ form, className }: ConsentFormProps): ReactNode {
  const found = usePublishedForm(form);
  return found ? <Frame form={found} className={className} /> : null;
}

function Frame({
  form,
  className,
}: {
  form: PublishedForm;
  className: string | undefined;
}): ReactNode {
  const { showForm } = useConsent();
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  const { configuration, collection, language, direction } = form;
  const { identifier } = configuration;
  useEffect(() => {
    const place = ref.current;
    if (!place) return undefined;
    // The display ticket is of a form that the visitor has seen.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      showForm(identifier);
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [identifier, showForm]);
  const Content = collection === "contracts" ? ContractForm : ProcessingForm;
  return (
    <section
      ref={ref}
      className={["avow avow-form", className].filter(Boolean).join(" ")}
      lang={language}
      dir={direction}
      aria-labelledby={id}
    >
      <Content form={form} titleId={id} />
    </section>
  );
}
