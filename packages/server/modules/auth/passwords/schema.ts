import { Type, type Static } from "typebox";
import { Code } from "../factors/schema.ts";
import { SessionOut } from "../sessions/schema.ts";
import { Login, OneTimeToken, Password, Url } from "../users/schema.ts";

export const SigninIn = Type.Object({
  username: Login("The username or the e-mail address, in any case."),
  password: Password,
  code: Type.Optional(Code),
});
export type SigninIn = Static<typeof SigninIn>;

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

/** The reasons to reject a password. */
export const rejections = ["short", "common", "context", "breached"] as const;

/** The rule that the operator set; without settings any password is accepted. */
export const PasswordRuleOut = Type.Object(
  {
    lengthMin: Type.Integer({ description: "Characters at least." }),
    refused: Type.Array(Type.Enum([...rejections]), {
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

export const ResetRequestIn = Type.Object({
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

export const ConfirmIn = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: "Of a user without a second factor.",
      }),
    ),
    code: Type.Optional(Code),
  },
  { description: "Without either: whether the session is recent enough as it is." },
);

export const ConfirmedOut = Type.Object(
  {
    confirmedUntil: Type.String({
      format: "date-time",
      description: "Until then changes of how the account is signed in to are taken.",
    }),
  },
  { title: "Confirmed" },
);
