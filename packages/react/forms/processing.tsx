"use client";
import type { FormAnswer, FormChoice, FormConfirmation } from "@avow/widget/headless";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useConsent } from "../context/hooks.tsx";
import { Message } from "../content/message.tsx";
import { AnswerLine, FormError, type FormContentProps, FormFacts, FormHead } from "./parts.tsx";
import { useSaving, useSubmission } from "./saving.ts";

type FormReply = Pick<FormChoice, "accept" | "value">;

/**
 * A consent form: it asks, saves an answer at once, and then shows it, with a button to change it and one to withdraw.
 * Consent is free: an HTML form around it can be submitted without an answer, and an answer that could not be saved blocks
 * it at most once.
 */
export function ProcessingForm({ form, titleId }: FormContentProps): ReactNode {
  const { state } = useConsent();
  const saving = useSaving(form);
  const [isChanging, setChanging] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLParagraphElement>(null);
  const unsaved = useRef<FormReply>(undefined);
  const answer = state.forms[form.configuration.identifier];
  const isAsking = !answer || isChanging;
  useEffect(() => {
    // After a click the pressed button is gone: the focus follows to the new screen.
    if (isMoving) (isAsking ? place : line).current?.focus();
    setMoving(false);
  }, [isMoving, isAsking]);
  const give = async (given: FormReply): Promise<boolean> => {
    unsaved.current = given;
    const isSaved = await saving.save(given);
    if (!isSaved) return false;
    unsaved.current = undefined;
    setChanging(false);
    setMoving(true);
    return true;
  };
  useSubmission({
    place,
    isUnsaved: () => unsaved.current !== undefined,
    save: async () => {
      const isSaved = !unsaved.current || (await give(unsaved.current));
      // Submitting the form again sends it without this answer.
      unsaved.current = undefined;
      return isSaved;
    },
    onReset: () => {
      unsaved.current = undefined;
      saving.clear();
    },
  });
  const change = (): void => {
    setChanging(true);
    setMoving(true);
  };
  return (
    <div ref={place} className="avow-form-body" tabIndex={-1} aria-busy={saving.isBusy}>
      {isAsking ? (
        <Question form={form} titleId={titleId} onGive={(given) => void give(given)} />
      ) : (
        <Answered
          {...{ form, titleId, answer, line }}
          onChange={change}
          onWithdraw={() => void give({ accept: false })}
        />
      )}
      <FormError text={saving.hasFailed && form.say("unsaved")} />
    </div>
  );
}

function Question({
  form,
  titleId,
  onGive,
}: FormContentProps & { onGive: (given: FormReply) => void }): ReactNode {
  const { configuration, title, choices } = form;
  return (
    <>
      <FormHead id={titleId} title={title} subTitle={configuration.subTitle} />
      <Message html={configuration.message} />
      <FormFacts form={form} />
      <div className="avow-form-foot">
        {choices.map((choice) => (
          <button
            key={choice.text}
            type="button"
            className="avow-button"
            onClick={() => onGive(choice)}
          >
            {choice.text}
          </button>
        ))}
      </div>
    </>
  );
}

type AnsweredProps = FormContentProps & {
  answer: FormAnswer;
  line: React.RefObject<HTMLParagraphElement | null>;
  onChange: () => void;
  onWithdraw: () => void;
};

function Answered({ form, titleId, answer, line, onChange, onWithdraw }: AnsweredProps): ReactNode {
  const { say, title: question, configuration } = form;
  const { title, message, backButtonText } =
    findConfirmation(configuration.confirmations, answer) ?? {};
  return (
    <>
      <FormHead id={titleId} title={title || question} />
      <Message html={message} />
      <AnswerLine form={form} answer={answer} focusRef={line} />
      <div className="avow-form-foot">
        <button type="button" className="avow-quiet" onClick={onChange}>
          {backButtonText || say("change")}
        </button>
        {answer.accept && (
          <button type="button" className="avow-quiet" onClick={onWithdraw}>
            {say("withdraw")}
          </button>
        )}
      </div>
    </>
  );
}

const names = {
  accepted: ["accept", "accepted", "yes", "true"],
  refused: ["refuse", "refused", "reject", "no", "false"],
  withdrawn: ["withdraw", "withdrawn"],
};

/** The confirmation screen for an answer, by its name. */
function findConfirmation(
  screens: Readonly<Record<string, FormConfirmation>> = {},
  { accept, isWithdrawn }: FormAnswer,
): FormConfirmation | undefined {
  const wanted = accept
    ? names.accepted
    : [...(isWithdrawn ? names.withdrawn : []), ...names.refused];
  return wanted.map((name) => screens[name]).find(Boolean);
}
