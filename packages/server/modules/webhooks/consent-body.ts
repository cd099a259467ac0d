import { Type } from "typebox";

const Links = Type.Record(Type.String(), Type.String());

/** A consent record as `GET /v1/app/consents` answers it (wire section 4); the reference tells it whole. */
export const ConsentBody = Type.Object(
  {
    consentId: Type.String({ format: "uuid" }),
    projectId: Type.String(),
    collection: Type.String({ description: "`cookies`, `processings` or `contracts`." }),
    identifier: Type.String({ description: "The configuration's id." }),
    token: Type.String(),
    accept: Type.Boolean(),
    preferences: Type.Object({}, { additionalProperties: true }),
    value: Type.Unknown(),
    createdAt: Type.String({ format: "date-time" }),
    version: Type.Union([Type.Integer(), Type.Null()]),
    links: Type.Intersect([
      Links,
      Type.Object({ proof: Type.String({ description: "The proof of this consent." }) }),
    ]),
  },
  { additionalProperties: true, title: "Consent" },
);
