"use client";
import {
  type ConsentForm,
  type FormAnswer,
  type FormProcessor,
  toDay,
  toDuration,
} from "@avow/widget/headless";
import type { ReactNode, RefObject } from "react";
import { Link } from "../content/message.tsx";

/** Properties of the content of a form. */
export interface FormContentProps {
  form: ConsentForm;
  /** The identifier of its heading. */
  titleId: string;
}

export function FormHead({
  id,
  title,
  subTitle,
}: {
  id: string;
  title: string | undefined;
  subTitle?: string | undefined;
}): ReactNode {
  return (
    <div className="avow-form-head">
      <p className="avow-title" id={id}>
        {title || subTitle}
      </p>
      {title && subTitle && <p className="avow-soft">{subTitle}</p>}
    </div>
  );
}

/** The visitor's current answer and its date, which takes the focus after an answer. */
export function AnswerLine({
  form: { say, language },
  answer: { accept, isWithdrawn, date },
  focusRef,
}: {
  form: ConsentForm;
  answer: FormAnswer;
  focusRef: RefObject<HTMLParagraphElement | null>;
}): ReactNode {
  const state = accept ? "accepted" : isWithdrawn ? "withdrawn" : "refused";
  return (
    <p ref={focusRef} className={`avow-state avow-${state}`} tabIndex={-1}>
      <strong>{say(state)}</strong>{" "}
      <time dateTime={date} className="avow-soft">
        {toDay(date, language)}
      </time>
    </p>
  );
}

/** The error of an answer that could be neither sent nor kept. */
export function FormError({ text }: { text: string | false }): ReactNode {
  return (
    <p role="alert" className="avow-alert">
      {text}
    </p>
  );
}

/** The information required before a consent (GDPR 13): the purpose, and the rest in details. */
export function FormFacts({ form }: { form: ConsentForm }): ReactNode {
  const { configuration, language, say } = form;
  const { purpose, processors, personalDataTypes, storageDuration } = configuration;
  const { automatedDecisions, automatedDecisionsDetails, automatedDecisionsContact } =
    configuration;
  const details: [string, ReactNode][] = [
    ["processors", toList((processors ?? []).map(toProcessor))],
    ["personalDataTypes", toList((personalDataTypes ?? []).filter(Boolean))],
    [
      "storageDuration",
      storageDuration !== undefined && toDuration(storageDuration, "month", language),
    ],
    ["automatedDecisions", automatedDecisions && automatedDecisionsDetails],
    ["automatedDecisionsContact", automatedDecisions && automatedDecisionsContact],
    ["consentWithdraw", configuration.consentWithdraw],
  ];
  const shown = details.filter(([, value]) => Boolean(value));
  return (
    <>
      {purpose && (
        <dl className="avow-facts">
          <dt>{say("purpose")}</dt>
          <dd>{purpose}</dd>
        </dl>
      )}
      {shown[0] && (
        <details className="avow-details">
          <summary>{say("details")}</summary>
          <dl className="avow-facts">
            {shown.map(([name, value]) => (
              <div key={name}>
                <dt>{say(name)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

function toList(items: readonly ReactNode[]): ReactNode {
  return (
    items.length > 0 && (
      <ul className="avow-items">
        {items.map((item, at) => (
          // Published items have no identifiers, and their order does not change.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>{item}</li>
        ))}
      </ul>
    )
  );
}

function toProcessor({ name, role, shortDescription, website }: FormProcessor): ReactNode {
  return (
    <>
      {[name, role].filter(Boolean).join(" – ")}
      {shortDescription && <p className="avow-soft">{shortDescription}</p>}
      {website && (
        <p className="avow-soft">
          <Link href={website}>{website.replace(/^https?:\/\//i, "")}</Link>
        </p>
      )}
    </>
  );
}
