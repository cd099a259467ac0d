import { Type, type Static } from "typebox";
import { DateTime, orNull } from "../users/schema.ts";

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

/** A session in a cookie. No response contains its token. */
export const CookieSessionOut = Type.Object(
  { expiresAt: SessionOut.properties.expiresAt, links: SessionOut.properties.links },
  { title: "CookieSession" },
);
export type CookieSessionOut = Static<typeof CookieSessionOut>;

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
    current: Type.Boolean({ description: "Whether this request uses it." }),
    createdAt: DateTime,
    lastUsedAt: DateTime,
    expiresAt: { ...orNull(DateTime), description: "Null for a key without an expiry." },
    scopes: {
      ...Type.Unsafe<string[] | null>({ type: ["array", "null"], items: { type: "string" } }),
      description: "The scopes of an API key; null for a session.",
    },
    projectId: {
      ...orNull(Type.String()),
      description: "The project that an API key is limited to.",
    },
    links: Type.Object({ self: Type.String(), user: Type.String() }),
  },
  { title: "AccessToken" },
);
export type TokenOut = Static<typeof TokenOut>;

export const TokensDeleteIn = Type.Object({
  kind: Type.Optional(Type.Enum(["session", "key"], { description: "Default: both." })),
  except: Type.Optional(
    Type.Enum(["current"], { description: "Keeps the token of this request." }),
  ),
});

export const TokenParams = Type.Object({ id: Type.String({ maxLength: 1_024 }) });
