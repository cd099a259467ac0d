import { Field } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

const LENGTH_MAX = 1_024;

/** A field for a password that is being chosen: browsers offer to make one, and to keep it. */
export function NewPassword({ name = "password", label }: { name?: string; label?: string }) {
  const { auth } = words.value;
  return (
    <Field
      name={name}
      label={label ?? auth.password}
      type="password"
      autoComplete="new-password"
      hint={auth.passwordHint}
      maxLength={LENGTH_MAX}
      required
    />
  );
}
