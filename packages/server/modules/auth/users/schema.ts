import { scopeNames } from "../../../kernel/rights.ts";
import { Type, type Static, type TSchema } from "typebox";
import { Code } from "../factors/schema.ts";

export const LOGIN_LENGTH_MAX = 254;
const PASSWORD_LENGTH_MAX = 1_024;
export const DISPLAY_NAME_LENGTH_MAX = 200;

export const Login = (description: string) =>
  Type.String({ minLength: 1, maxLength: LOGIN_LENGTH_MAX, description });
export const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH_MAX,
  description: "Any characters: there is no complexity rule, and it is taken exactly as it comes.",
});
export const DisplayName = Type.String({ minLength: 1, maxLength: DISPLAY_NAME_LENGTH_MAX });
const PersonName = Type.String({ maxLength: DISPLAY_NAME_LENGTH_MAX });
export const DateTime = Type.String({ format: "date-time" });

export function orNull<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: ["string", "null"] });
}

/** What an invitation makes somebody; the vault says what each may do. */
export const invitedRoles = ["owner", "editor", "viewer", "auditor"] as const;
export type Role = (typeof invitedRoles)[number];

/** A token that was mailed or handed over; longer ones are none. */
export const OneTimeToken = Type.String({ minLength: 1, maxLength: 128 });

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
      description: "Accepts the invitation with the new account.",
    }),
  },
  { anyOf: [{ required: ["username"] }, { required: ["email"] }] },
);
export type SignupIn = Static<typeof SignupIn>;

export const SigninIn = Type.Object({
  username: Login("The username or the e-mail address, in any case."),
  password: Password,
  code: Type.Optional(Code),
});
export type SigninIn = Static<typeof SigninIn>;

/** What a sign-in elsewhere leads back with; `code` there is another one than that of a second factor. */
export const ExchangeIn = Type.Object({
  code: { ...OneTimeToken, description: "The one-time code of the sign-in." },
  factorCode: Type.Optional(Code),
});

/** RFC 7396: null removes a name, what is absent stays. */
export const MePatchIn = Type.Object({
  displayName: Type.Optional(DisplayName),
  firstName: Type.Optional(orNull(PersonName)),
  lastName: Type.Optional(orNull(PersonName)),
});
export type MePatchIn = Static<typeof MePatchIn>;

export const SessionOut = Type.Object(
  {
    token: Type.String({
      description:
        "Send it as `Authorization: Bearer TOKEN` or `?access_token=TOKEN`. It is shown once.",
    }),
    expiresAt: DateTime,
    links: Type.Object({
      self: Type.String(),
      logout: Type.String(),
      tokens: Type.String(),
      projects: Type.String(),
      vault: Type.String(),
    }),
  },
  { title: "Session" },
);
export type SessionOut = Static<typeof SessionOut>;

export const MeOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    username: Type.String(),
    email: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Null where a provider told none.",
    }),
    emailConfirmed: Type.Boolean({
      description: "Whether a link that was mailed there was opened.",
    }),
    displayName: Type.String(),
    firstName: orNull(Type.String()),
    lastName: orNull(Type.String()),
    identities: Type.Array(
      Type.Object({
        id: Type.String(),
        provider: Type.String({ description: "`local` for a password." }),
        label: orNull(Type.String()),
        createdAt: DateTime,
        links: Type.Object({ self: Type.String() }),
      }),
    ),
    secondFactor: Type.Union(
      [Type.Object({ addedAt: DateTime, recoveryCodesLeft: Type.Integer() }), Type.Null()],
      { description: "Null where the user has none." },
    ),
    needsSecondFactor: Type.Boolean({
      description:
        "Whether the operator requires a second factor that the user has yet to add: until then this session is of use for the account alone.",
    }),
    createdAt: DateTime,
    lastSeenAt: DateTime,
    links: SessionOut.properties.links,
  },
  { title: "User" },
);
export type MeOut = Static<typeof MeOut>;

export const LogoutOut = Type.Object(
  {
    success: Type.Literal(true),
    links: Type.Object({ signin: Type.String() }),
  },
  { title: "Logout" },
);
export type LogoutOut = Static<typeof LogoutOut>;

export const TokenOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    label: Type.String({ description: "The kind of client that signed in, such as Firefox." }),
    current: Type.Boolean({ description: "Whether this request was made with it." }),
    createdAt: DateTime,
    lastUsedAt: DateTime,
    expiresAt: { ...orNull(DateTime), description: "Null for a key that does not end by itself." },
    scopes: {
      ...Type.Unsafe<string[] | null>({ type: ["array", "null"], items: { type: "string" } }),
      description: "What an API key may do; null for a session.",
    },
    projectId: { ...orNull(Type.String()), description: "The one project that an API key sees." },
    links: Type.Object({ self: Type.String(), user: Type.String() }),
  },
  { title: "AccessToken" },
);
export type TokenOut = Static<typeof TokenOut>;

export const KeyIn = Type.Object({
  label: Type.String({ minLength: 1, maxLength: 200 }),
  scopes: Type.Array(Type.Enum([...scopeNames]), {
    minItems: 1,
    maxItems: scopeNames.length,
    uniqueItems: true,
    description: "What it may do; docs/api.md lists what each scope is for.",
  }),
  expiresAt: Type.Optional({ ...DateTime, description: "Default: it does not end by itself." }),
  projectId: Type.Optional(
    Type.String({ maxLength: 64, description: "The one project that it is to see." }),
  ),
});

export const KeyOut = Type.Object(
  {
    ...TokenOut.properties,
    token: Type.String({ description: "The key itself. It is shown once." }),
  },
  { title: "ApiKey" },
);
export type KeyOut = Static<typeof KeyOut>;

export const TokensDeleteIn = Type.Object({
  kind: Type.Optional(Type.Enum(["session", "key"], { description: "Default: both." })),
  except: Type.Optional(
    Type.Enum(["current"], { description: "Keeps the token of this request." }),
  ),
});

export const TokenParams = Type.Object({ id: Type.String({ maxLength: 1_024 }) });
