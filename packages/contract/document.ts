import { Type } from "typebox";

/** The id of a document. */
export const Id = Type.String({
  pattern: "^[0-9a-f]{24}$",
  description: "24 lower-case hexadecimal characters",
});

/** Fields that the service adds to every document (wire section 0). */
export const ServiceFields = Type.Object(
  {
    _id: Id,
    id: Id,
    createdAt: Type.String({ format: "date-time" }),
    createdBy: Type.String(),
    updatedAt: Type.String({ format: "date-time" }),
    updatedBy: Type.String(),
    version: Type.Integer(),
    links: Type.Record(Type.String(), Type.String()),
    warnings: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description:
          "How the stored or the published document differs from what was sent, such as elements removed from HTML.",
      }),
    ),
  },
  { additionalProperties: true },
);
