import { Type, type Static } from "typebox";
import {
  DateTime,
  DisplayName,
  LOGIN_LENGTH_MAX,
  OneTimeToken,
  invitedRoles,
  orNull,
} from "../users/schema.ts";

const collections = ["projects", "organizations"] as const;
export const InvitationTargetIn = Type.Object({
  collection: Type.Enum([...collections]),
  id: Type.String({ maxLength: 64 }),
});

export const InvitationIn = Type.Object({
  email: Type.String({ minLength: 3, maxLength: LOGIN_LENGTH_MAX }),
  displayName: Type.Optional(DisplayName),
  role: Type.Optional(Type.Enum([...invitedRoles], { description: "Default: viewer." })),
  data: InvitationTargetIn,
  boundToAddress: Type.Optional(
    Type.Boolean({
      description:
        "Only an account that has confirmed the invited address can accept. Default: true where a sign-in provider of one organization is configured (`GET /v1/auth/providers`), else false.",
    }),
  ),
});

export const InvitedOut = Type.Object(
  {
    id: Type.String(),
    boundToAddress: Type.Boolean(),
    invitationToken: Type.Object({
      value: Type.String({ description: "Shown once." }),
      expiration: DateTime,
    }),
    mailed: Type.Boolean({
      description:
        "False where the address was mailed as many invitations today as it may be: hand the token over yourself.",
    }),
  },
  { title: "Invited" },
);
export type InvitedOut = Static<typeof InvitedOut>;

const boundToAddress = Type.Boolean({
  description: "Only an account that has confirmed the invited address can accept.",
});

export const InvitationOut = Type.Object(
  {
    id: Type.String(),
    email: { ...orNull(Type.String()), description: "Null if the invitation is bound to it." },
    addressHint: Type.String({
      description: "The address with most of it left out, such as `a…@e….org`.",
    }),
    boundToAddress,
    displayName: orNull(Type.String()),
    role: Type.Enum([...invitedRoles]),
    data: Type.Object({ ...InvitationTargetIn.properties, title: Type.String() }),
    invitedBy: Type.Object({ displayName: Type.String() }),
    createdAt: DateTime,
    expiration: DateTime,
    brand: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          logo: Type.Optional(Type.String({ description: "The id of a picture." })),
          color: Type.Optional(Type.String({ description: "`#rrggbb`" })),
        },
        { description: "The brand of the organization, if it has one." },
      ),
    ),
    links: Type.Object({ signup: Type.String(), signin: Type.String() }),
  },
  { title: "Invitation" },
);
export type InvitationOut = Static<typeof InvitationOut>;

export const InvitationItemOut = Type.Object(
  {
    ...Type.Omit(InvitationOut, ["data", "links", "addressHint", "brand"]).properties,
    email: Type.String(),
    links: Type.Object({ self: Type.String({ description: "DELETE withdraws it." }) }),
  },
  { title: "InvitationItem" },
);
export type InvitationItemOut = Static<typeof InvitationItemOut>;

export const AcceptedOut = Type.Object(
  {
    success: Type.Literal(true),
    role: Type.Enum([...invitedRoles]),
    data: InvitationTargetIn,
    links: Type.Object({ document: Type.String(), user: Type.String() }),
  },
  { title: "Accepted" },
);
export type AcceptedOut = Static<typeof AcceptedOut>;

export const InvitationParams = Type.Object({ token: OneTimeToken });
