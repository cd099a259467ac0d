import { Type, type Static } from "typebox";
import { OneTimeToken, Password, Login, SessionOut } from "./schema.ts";

const Url = Type.String({ minLength: 1, maxLength: 2_048 });

export const PasswordChangeIn = Type.Object({
  current: Password,
  new: Password,
  confirm: { ...Password, description: "The new password again." },
});

/** The same answer whether somebody has the address or not. */
export const AskedOut = Type.Object({ success: Type.Literal(true) }, { title: "Asked" });

export const PasswordChangedOut = Type.Object(
  { success: Type.Literal(true), links: SessionOut.properties.links },
  { title: "PasswordChanged" },
);

export const AskResetIn = Type.Object({
  email: Login("The address that the link goes to."),
  resetUrl: Type.Optional({
    ...Url,
    description:
      "Where the link leads, on a configured origin; `token` is added to it. Default: a page of this service.",
  }),
});

export const ResetIn = Type.Object({ token: OneTimeToken, password: Password });

export const ValidateQueryIn = Type.Object({
  token: OneTimeToken,
  redirectURI: Type.Optional({
    ...Url,
    description: "Where to go on, on a configured origin.",
  }),
});
export type ValidateQueryIn = Static<typeof ValidateQueryIn>;
