import { addressPattern } from "../../data/projects/website.ts";
import { Field, type FieldProps } from "./form.tsx";

type Props = Omit<FieldProps, "type" | "inputMode" | "pattern" | "maxLength" | "isCode">;

/** A field for the address of a website, with or without its scheme; `toAddress` adds one. */
export function WebsiteField(props: Props) {
  return <Field {...props} inputMode="url" pattern={addressPattern} maxLength={2_048} isCode />;
}
