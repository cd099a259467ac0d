"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useConsent } from "../context/hooks.tsx";
import { Link, Message } from "../content/message.tsx";
import { AnswerLine, FormError, type FormContentProps, FormHead } from "./parts.tsx";
import { useSaving, useSubmission } from "./saving.ts";

/**
 * A contract form: the document, and a checkbox that is never checked by default. In an HTML form it is submitted with it and
 * saved before; otherwise it is saved when it is checked.
 */
export function ContractForm({ form, titleId }: FormContentProps): ReactNode {
  const { configuration, say, title, choices } = form;
  const { identifier, name, file = "", idRequired } = configuration;
  const answer = useConsent().state.forms[identifier];
  const saving = useSaving(form);
  const [isChecked, setChecked] = useState(false);
  /** The saved answer of this page's checkbox; undefined before. */
  const saved = useRef<boolean>(undefined);
  const place = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const line = useRef<HTMLParagraphElement>(null);
  const [isInForm, setInForm] = useState(false);
  useEffect(() => setInForm(Boolean(place.current?.closest("form"))), []);
  const grant = choices.find(({ accept }) => accept) ?? { text: say("accept"), accept: true };
  const toUnsaved = () => {
    if (isChecked) return saved.current ? undefined : grant;
    // An unchecked box is no answer, but unchecking a saved one is a withdrawal.
    return saved.current ? { accept: false } : undefined;
  };
  const save = async (given: Pick<typeof grant, "accept" | "value">): Promise<boolean> => {
    const isSaved = await saving.save(given);
    if (isSaved) saved.current = given.accept;
    return isSaved;
  };
  useSubmission({
    place,
    isUnsaved: () => isInForm && toUnsaved() !== undefined,
    save: async () => {
      const given = toUnsaved();
      return given ? save(given) : true;
    },
    onReset: () => {
      saved.current = undefined;
      setChecked(false);
      saving.clear();
    },
  });
  const saveAlone = async (accept: boolean): Promise<void> => {
    const isSaved = await save(accept ? grant : { accept });
    setChecked(false);
    if (!isSaved) return;
    saved.current = undefined;
    line.current?.focus();
  };
  const check = (isOn: boolean): void => {
    if (saving.isBusy) return;
    input.current?.setCustomValidity("");
    saving.clear();
    setChecked(isOn);
    if (!isInForm && isOn) void saveAlone(true);
  };
  const isDone = !isInForm && answer?.accept === true;
  return (
    <div ref={place} className="avow-form-body" aria-busy={saving.isBusy}>
      <FormHead id={titleId} title={title} subTitle={configuration.subTitle} />
      <Message html={configuration.message} />
      {/^https?:/i.test(file) && (
        <p>
          <Link href={file}>{say("openFile")}</Link>
        </p>
      )}
      {!isDone && (
        <label className="avow-tick">
          <input
            ref={input}
            type="checkbox"
            name={name || undefined}
            value={typeof grant.value === "string" && grant.value ? grant.value : undefined}
            required={idRequired}
            checked={isChecked}
            onChange={({ target }) => check(target.checked)}
            onInvalid={({ currentTarget }) =>
              currentTarget.setCustomValidity(
                currentTarget.validity.valueMissing ? say("required") : "",
              )
            }
          />
          <span>{grant.text}</span>
        </label>
      )}
      {answer && <AnswerLine form={form} answer={answer} focusRef={line} />}
      {answer?.accept && (
        <div className="avow-form-foot">
          <button type="button" className="avow-quiet" onClick={() => void saveAlone(false)}>
            {say("withdraw")}
          </button>
        </div>
      )}
      <FormError text={saving.hasFailed && say("unsaved")} />
    </div>
  );
}
