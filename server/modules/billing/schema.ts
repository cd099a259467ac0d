import { Type, type Static } from "typebox";

const limit = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null: no limit.` });

export const PlanOut = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    layouts: Type.Array(Type.String(), { description: "Layouts that steps may have." }),
    fileBytesMax: limit("Size of a published file before compression, in bytes"),
    configurationsMax: limit("Configurations of one project"),
    seatsMax: limit("People of one organization"),
    links: Type.Object({ self: Type.String() }),
  },
  { title: "Plan" },
);
export type PlanOut = Static<typeof PlanOut>;
