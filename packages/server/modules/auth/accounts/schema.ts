import { Type, type Static } from "typebox";
import { Code } from "../factors/schema.ts";
import { SessionOut } from "../sessions/schema.ts";
import {
  DateTime,
  DisplayName,
  DISPLAY_NAME_LENGTH_MAX,
  Login,
  OneTimeToken,
  Password,
  orNull,
} from "../users/schema.ts";

const PersonName = Type.String({ maxLength: DISPLAY_NAME_LENGTH_MAX });

/** Wire section 1: a password, and a username or an e-mail address or both. */
export const SignupIn = Type.Object(
  {
    username: Type.Optional(Login("Defaults to `email`.")),
    email: Type.Optional(
      Login("Defaults to `username`. When given, it must look like an address."),
    ),
    password: Password,
    displayName: Type.Optional({
      ...DisplayName,
      description: "Defaults to the part of the e-mail address before the @.",
    }),
    firstName: Type.Optional(orNull(PersonName)),
    lastName: Type.Optional(orNull(PersonName)),
    invitationToken: Type.Optional({
      ...OneTimeToken,
      description:
        "Accepts the invitation with the new account. Required if sign-ups are by invitation.",
    }),
    claimToken: Type.Optional({
      ...OneTimeToken,
      description:
        "The token of the one-time link that the start prints: the new account is an operator, even if sign-ups are closed.",
    }),
  },
  { anyOf: [{ required: ["username"] }, { required: ["email"] }] },
);
export type SignupIn = Static<typeof SignupIn>;

/** RFC 7396: null removes a name, an absent one stays. */
export const MePatchIn = Type.Object({
  displayName: Type.Optional(DisplayName),
  firstName: Type.Optional(orNull(PersonName)),
  lastName: Type.Optional(orNull(PersonName)),
});
export type MePatchIn = Static<typeof MePatchIn>;

export const MeOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    username: Type.String(),
    email: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Null when the provider returned none.",
    }),
    emailConfirmed: Type.Boolean({
      description: "Whether the address was confirmed with a mailed link.",
    }),
    displayName: Type.String(),
    firstName: orNull(Type.String()),
    lastName: orNull(Type.String()),
    identities: Type.Record(
      Type.String(),
      Type.Object({
        username: Type.Optional(Type.String({ description: "The username of `local`." })),
        subject: Type.Optional(Type.String({ description: "The user's id at a provider." })),
        email: orNull(Type.String()),
      }),
      { description: "By provider; `local` for a password. The first of each provider." },
    ),
    signInMethods: Type.Array(
      Type.Object({
        id: Type.String(),
        provider: Type.String({ description: "`local` for a password." }),
        label: orNull(Type.String()),
        createdAt: DateTime,
        links: Type.Object({ self: Type.String() }),
      }),
      { description: "Every identity, each with the link that removes it." },
    ),
    secondFactor: Type.Union(
      [Type.Object({ addedAt: DateTime, recoveryCodesLeft: Type.Integer() }), Type.Null()],
      { description: "Null without one." },
    ),
    needsSecondFactor: Type.Boolean({
      description:
        "Whether the operator requires a second factor that the user has not added. Until then, this session can only manage the account.",
    }),
    operator: Type.Boolean({
      description: "Whether the user is an operator of the installation.",
    }),
    createdAt: DateTime,
    lastSeenAt: DateTime,
    links: SessionOut.properties.links,
  },
  { title: "User" },
);
export type MeOut = Static<typeof MeOut>;

export const DeletionIn = Type.Object({
  confirm: Login("Your username, against deletion by mistake."),
  password: Type.Optional({
    ...Password,
    description:
      "The password, for accounts without a second factor. Optional in a session started or confirmed in the last 15 minutes.",
  }),
  code: Type.Optional({
    ...Code,
    description:
      "For accounts with a second factor: a code of the authenticator app, or a recovery code. Optional under the same condition.",
  }),
});
