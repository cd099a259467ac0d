import { Type } from "typebox";
import { signupModes } from "../../../config/sign-in.ts";
import { DateTime, Login, OneTimeToken, orNull } from "../users/schema.ts";

const mode = Type.Enum([...signupModes], {
  description:
    "`open`: everyone; `invitation`: people with an invitation; `closed`: nobody. Existing accounts are not affected.",
});

export const SignupsIn = Type.Object({ mode });

export const SignupsOut = Type.Object(
  {
    mode,
    fixed: Type.Boolean({
      description: "Whether the setting SIGNUPS decides, so that operators cannot switch.",
    }),
  },
  { title: "Signups" },
);

export const ClaimIn = Type.Object({
  token: {
    ...OneTimeToken,
    description: "The token of the link, after the `#`. It works once, within a day.",
  },
});

export const OperatorIn = Type.Object(
  {
    userId: Type.Optional(Type.String({ maxLength: 64 })),
    email: Type.Optional(Login("The confirmed address of an account, instead of `userId`.")),
  },
  { anyOf: [{ required: ["userId"] }, { required: ["email"] }] },
);

export const OperatorOut = Type.Object(
  {
    _id: Type.String({ description: "The user's id." }),
    id: Type.String({ description: "The user's id." }),
    username: Type.String(),
    email: orNull(Type.String()),
    displayName: Type.String(),
    addedAt: DateTime,
    links: Type.Object({ self: Type.String() }),
  },
  { title: "Operator" },
);
