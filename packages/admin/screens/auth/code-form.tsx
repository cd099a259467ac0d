import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { Field, Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";

/** Whether a sign-in needs a code of the second factor to complete. */
export function isCodeNeeded(error: unknown): boolean {
  return error instanceof Problem && error.kind === "code-needed";
}

interface CodeFormProps {
  submit: string;
  onCode: (code: string) => Promise<void>;
  /** Returns to the previous step. */
  onBack?: () => void;
}

/** Asks for a code of the second factor or a recovery code. */
export function CodeForm({ submit, onCode, onBack }: CodeFormProps) {
  const { auth, faults } = words.value;
  const { code } = auth;
  const [isRecovery, setRecovery] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("input")?.focus(), [isRecovery]);
  return (
    <div class="code-form" ref={place}>
      <Form
        key={isRecovery}
        submit={submit}
        toText={() => faults.wrongCode}
        onSubmit={({ code: typed = "" }) => onCode(typed)}
      >
        <Field
          name="code"
          label={isRecovery ? code.recovery : code.label}
          hint={isRecovery ? code.recoveryHint : code.hint}
          autoComplete={isRecovery ? "off" : "one-time-code"}
          {...(isRecovery ? {} : { inputMode: "numeric" as const })}
          isCode
          required
        />
      </Form>
      <p class="door-more">
        <button type="button" class="link" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? code.withApp : code.withRecovery}
        </button>
        {onBack && (
          <>
            {" · "}
            <button type="button" class="link" onClick={onBack}>
              {words.value.app.back}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
