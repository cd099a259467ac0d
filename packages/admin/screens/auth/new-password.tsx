import { useState } from "preact/hooks";
import { type PasswordRule, getPasswordRule } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Field } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";

const LENGTH_MAX = 1_024;
/** The minimum length of every screen; the operator may require more. */
const LENGTH_MIN = 8;
const SIGNS_ADVISED = 4;
const wornOut = /^(password|passw0rd|mot ?de ?passe|qwerty|azerty|letmein|1234|abcd)/i;

/** A field for a new password, for which browsers offer to generate and save one. */
export function NewPassword({ name = "password", label }: { name?: string; label?: string }) {
  const { auth } = words.value;
  const [isWeak, setWeak] = useState(false);
  // Without the rule, the service reports what it rejects on submit.
  const rule = useLoad(() => send(getPasswordRule), []);
  const known = { lengthMin: LENGTH_MIN, refused: [] };
  const hint = toHint(rule.state === "ready" ? rule.value.screens : known);
  return (
    <div
      onInput={({ target }) => target instanceof HTMLInputElement && setWeak(isEasy(target.value))}
    >
      <Field
        name={name}
        label={label ?? auth.password}
        type="password"
        autoComplete="new-password"
        hint={isWeak ? `${auth.passwordWeak} ${hint}` : hint}
        maxLength={LENGTH_MAX}
        required
      />
    </div>
  );
}

function isEasy(password: string): boolean {
  const signs = Array.from(password);
  if (signs.length === 0) return false;
  return new Set(signs).size < SIGNS_ADVISED || wornOut.test(password);
}

/** The rule for passwords that are chosen on a screen. */
function toHint({ lengthMin, refused }: PasswordRule["screens"]): string {
  const { passwordRule } = words.value.auth;
  const others = refused.filter((as) => as !== "short").map((as) => passwordRule[as]);
  return [passwordRule.short(lengthMin), ...others].join(" ");
}

/** The app's text for the service's rejection of a password. */
export function toPasswordText({ message }: { message: string }): string | undefined {
  const { passwordRefused } = words.value.auth;
  const [, lengthMin] = /^must have at least (\d+) characters/.exec(message) ?? [];
  if (lengthMin !== undefined) return passwordRefused.short(Number(lengthMin));
  if (message.includes("most common passwords")) return passwordRefused.common;
  if (message.includes("your names")) return passwordRefused.context;
  return message.includes("in a data breach") ? passwordRefused.breached : undefined;
}
