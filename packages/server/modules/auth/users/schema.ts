import { Type, type Static, type TSchema } from "typebox";

export const LOGIN_LENGTH_MAX = 254;
const PASSWORD_LENGTH_MAX = 1_024;
export const DISPLAY_NAME_LENGTH_MAX = 200;
/** Size limit of every JSON or form body of this module, except a provider's. */
export const BODY_BYTES_MAX = 16 * 1024;

export const Login = (description: string) =>
  Type.String({ minLength: 1, maxLength: LOGIN_LENGTH_MAX, description });
export const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH_MAX,
  description: "Any characters, without a complexity rule; used exactly as sent.",
});
export const DisplayName = Type.String({ minLength: 1, maxLength: DISPLAY_NAME_LENGTH_MAX });
export const DateTime = Type.String({ format: "date-time" });
export const Url = Type.String({ minLength: 1, maxLength: 2_048 });

export function orNull<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: ["string", "null"] });
}

/** The roles that an invitation can grant; the vault defines their rights. */
export const invitedRoles = ["owner", "editor", "viewer", "auditor"] as const;
export type Role = (typeof invitedRoles)[number];

/** A one-time token with its maximum length. */
export const OneTimeToken = Type.String({ minLength: 1, maxLength: 128 });

/** The same answer whether or not the address has an account. */
export const SuccessOut = Type.Object({ success: Type.Literal(true) }, { title: "Success" });
