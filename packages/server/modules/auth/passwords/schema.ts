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
      "Required with a second factor: a code of the authenticator app, or a recovery code. Optional in a session that has proved the factor within 15 minutes.",
  }),
});
export type PasswordChangeIn = Static<typeof PasswordChangeIn>;

/** The reasons to reject a password. */
export const rejections = ["short", "common", "context", "breached"] as const;

const rule = {
  lengthMin: Type.Integer({ description: "Minimum number of characters." }),
  refused: Type.Array(Type.Enum([...rejections]), {
    description:
      "Reasons to reject a password: `short`: below the minimum length; `common`: among the most common; `context`: mostly names of the user, the service or its host; `breached`: found in a data breach.",
  }),
};

/** The rule of the interface; without settings any password is accepted. */
export const PasswordRuleOut = Type.Object(
  {
    ...rule,
    screens: Type.Object(rule, {
      description:
        "The rule of the service's own pages: at least eight characters, and no common or breached password. It applies to routes under `/v1/auth/session`, to requests with a session's cookie, and to the pages under `/account`.",
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
      "The address of the link, on a configured origin; `token` is added to it. Default: a page of this service.",
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
        description: "Required without a second factor.",
      }),
    ),
    code: Type.Optional(Code),
  },
  { description: "Without either, only checks that the session is recent." },
);

export const ConfirmedOut = Type.Object(
  {
    confirmedUntil: Type.String({
      format: "date-time",
      description: "Until then, sign-in methods can be changed.",
    }),
  },
  { title: "Confirmed" },
);
