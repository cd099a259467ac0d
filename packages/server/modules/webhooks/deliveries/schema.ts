import { Type, type Static } from "typebox";
import { Id, Links, SentName, TextOrNull, Time } from "../endpoints/schema.ts";

export const DeliveryParams = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
});

const AttemptOut = Type.Object({
  at: Time,
  durationMs: Type.Integer(),
  requestId: Type.String({ description: "Sent as `X-Request-Id`." }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: "Null without a response." }),
  error: TextOrNull,
  answer: Type.String({ description: "The beginning of the response." }),
  answerBytes: Type.Optional(
    Type.Integer({ description: "Bytes of the response that were read, 65536 at most." }),
  ),
  isCut: Type.Optional(
    Type.Boolean({ description: "The response was longer, and its connection was closed." }),
  ),
});

const statuses = ["pending", "delivered", "parked", "cancelled"] as const;

export const DeliveryOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    webhookId: Type.String(),
    event: Type.String(),
    projectId: TextOrNull,
    collection: TextOrNull,
    identifier: TextOrNull,
    status: Type.Enum([...statuses], {
      description:
        "`parked`: ten attempts failed, and there are no more; `cancelled`: its record was erased, or the webhook's creator may no longer receive it.",
    }),
    attempts: Type.Integer({
      description:
        "Since it was created or retried; without those whose response was 429 or 503 with `Retry-After`.",
    }),
    tried: Type.Array(AttemptOut, { description: "The last twenty attempts, oldest first." }),
    nextAt: Type.Union([Time, Type.Null()]),
    createdAt: Time,
    endedAt: Type.Union([Time, Type.Null()]),
    links: Links,
  },
  { title: "WebhookDelivery" },
);
export type DeliveryOut = Static<typeof DeliveryOut>;

export const DeliveriesQueryIn = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  cursor: Type.Optional(Type.String({ maxLength: 2_048, description: "Taken from `links.next`." })),
  status: Type.Optional(Type.Enum([...statuses])),
  event: Type.Optional(SentName),
  projectId: Type.Optional(Id),
  // Any resource of the vault, as in configuration events.
  collection: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
  identifier: Type.Optional(Id),
});
