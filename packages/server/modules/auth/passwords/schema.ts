import { Type, type Static } from "typebox";
import { Code } from "../factors/schema.ts";
import { OneTimeToken, Password, Login, SessionOut } from "../users/schema.ts";

const Url = Type.String({ minLength: 1, maxLength: 2_048 });

export const PasswordChangeIn = Type.Object({
  current: Password,
  new: Password,
  confirm: { ...Password, description: "The new password again." },
  code: Type.Optional({
    ...Code,
    description:
      "Of your second factor, where you have one: a code of its authenticator app, or a recovery code. It may be left out in a session that it was shown in within 15 minutes.",
  }),
});
export type PasswordChangeIn = Static<typeof PasswordChangeIn>;

/** The same answer whether somebody has the address or not. */
export const AskedOut = Type.Object({ success: Type.Literal(true) }, { title: "Asked" });

/** Why a password may be refused. */
export const refusals = ["short", "common", "context", "breached"] as const;

/** What the operator set; without settings any password is taken. */
export const PasswordRuleOut = Type.Object(
  {
    lengthMin: Type.Integer({ description: "Characters at least." }),
    refused: Type.Array(Type.Enum([...refusals]), {
      description:
        "Why a password may be refused: shorter than that; among the most used; little more than the person's names, those of the service or its host; found in a breach of another service.",
    }),
  },
  { title: "PasswordRule" },
);

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

export const ResetIn = Type.Object({
  token: OneTimeToken,
  password: Password,
  code: Type.Optional(Code),
});

export const ValidateQueryIn = Type.Object({
  token: OneTimeToken,
  redirectURI: Type.Optional({
    ...Url,
    description: "Where to go on, on a configured origin.",
  }),
});
export type ValidateQueryIn = Static<typeof ValidateQueryIn>;
