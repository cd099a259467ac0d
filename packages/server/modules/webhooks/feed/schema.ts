import { Type, type Static } from "typebox";
import { Collection, Id, Time } from "../endpoints/schema.ts";

export const ReplayIn = Type.Object({
  since: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: "An `Instant`, or a cursor of the list of events.",
  }),
});

export const EventsQueryIn = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: "Taken from `links.next`; without one the list begins with the next event.",
    }),
  ),
  projectId: Type.Optional(Id),
  collection: Type.Optional(Collection),
  identifier: Type.Optional(Id),
  events: Type.Optional(
    Type.String({ maxLength: 2_048, description: "Names, separated by commas; all by default." }),
  ),
});
export type EventsQueryIn = Static<typeof EventsQueryIn>;

export const EventOut = Type.Object(
  {
    id: Type.String({ description: "The `webhook-id` of its delivery." }),
    type: Type.String(),
    timestamp: Time,
    data: Type.Object({}, { additionalProperties: true }),
  },
  { title: "Event" },
);
export type EventOut = Static<typeof EventOut>;
