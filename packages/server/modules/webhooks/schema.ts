import { Type, type Static } from "typebox";
import { TEST_EVENT, toldNames } from "./events.ts";

const Id = Type.String({ pattern: "^[0-9a-f]{24}$", description: "24 hexadecimal characters" });
const Time = Type.String({ format: "date-time" });
const Links = Type.Record(Type.String(), Type.String());
const URL_LENGTH_MAX = 2_048;

const toEventName = (names: readonly string[], description: string) =>
  Type.String({
    maxLength: 64,
    pattern: `^(${[...names, "consent/[0-9a-f]{24}"].map((name) => name.replaceAll(".", "\\.")).join("|")})$`,
    description,
  });
const EventName = toEventName(
  toldNames,
  "an event such as consent.created, or the older consent/{projectId}",
);
const SentName = toEventName([...toldNames, TEST_EVENT], "an event, or webhook.test");

const Address = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description: "Where events are posted to: https, of the public internet.",
});

const Headers = Type.Record(Type.String(), Type.String({ maxLength: 1_024 }), {
  description: "Sent with each delivery; kept encrypted, and answered without their values.",
});

const fields = {
  url: Type.Optional(Address),
  uri: Type.Optional(Address),
  events: Type.Optional(Type.Array(EventName, { minItems: 1, maxItems: 32 })),
  event: Type.Optional(EventName),
  headers: Type.Optional(Headers),
  enabled: Type.Optional(Type.Boolean()),
};
const filters = {
  collection: Type.Enum(["cookies", "processings", "contracts"]),
  identifier: Id,
};

export const WebhookIn = Type.Object({
  ...fields,
  projectId: Type.Optional(Id),
  collection: Type.Optional(filters.collection),
  identifier: Type.Optional(filters.identifier),
});
export type WebhookIn = Static<typeof WebhookIn>;

const OrNull = <T extends typeof filters.collection | typeof filters.identifier>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]));

export const WebhookPatchIn = Type.Object({
  ...fields,
  projectId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: "May be sent as it is; a webhook keeps its project.",
    }),
  ),
  collection: OrNull(filters.collection),
  identifier: OrNull(filters.identifier),
});
export type WebhookPatchIn = Static<typeof WebhookPatchIn>;

const out = {
  _id: Type.String(),
  id: Type.String(),
  url: Type.String(),
  uri: Type.String(),
  events: Type.Array(Type.String()),
  event: Type.String({ description: "The first of `events`." }),
  projectId: Type.Union([Type.String(), Type.Null()], {
    description: "Null: every project whose events the maker may receive.",
  }),
  collection: Type.Union([Type.String(), Type.Null()]),
  identifier: Type.Union([Type.String(), Type.Null()]),
  headers: Type.Record(Type.String(), Type.String()),
  enabled: Type.Boolean(),
  disabledBecause: Type.Union([Type.String(), Type.Null()], {
    description:
      "`owner`; `gone`: it answered 410; `failing`: it failed for five days. Null while enabled.",
  }),
  failingSince: Type.Union([Time, Type.Null()]),
  publicKey: Type.String({ description: "That Ed25519 signatures (v1a) are checked with." }),
  earlierPublicKeys: Type.Array(Type.Object({ publicKey: Type.String(), endsAt: Time }), {
    description: "Keys before that one, which sign too until they end; the newest first.",
  }),
  createdAt: Time,
  createdBy: Type.String(),
  updatedAt: Time,
  version: Type.Integer(),
  links: Links,
};

/** A webhook (wire section 6). */
export const WebhookOut = Type.Object(out, { title: "Webhook" });
export type WebhookOut = Static<typeof WebhookOut>;

export const SecretOut = Type.Object(
  { ...out, secret: Type.String({ description: "Answered this once." }) },
  { title: "WebhookWithSecret" },
);
export type SecretOut = Static<typeof SecretOut>;

export const WebhooksOut = Type.Object({ webhooks: Type.Array(WebhookOut) });

export const WebhookParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

/** Nothing has to be said. */
export const EmptyIn = Type.Optional(Type.Union([Type.Object({}), Type.Null()]));

export const RotateIn = Type.Optional(
  Type.Union([
    Type.Object({
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 168,
          description:
            "For how long the one before signs too; 24 by default. 0: from now on the new one signs alone.",
        }),
      ),
    }),
    Type.Null(),
  ]),
);

export const DeliveryParams = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
});

const AttemptOut = Type.Object({
  at: Time,
  durationMs: Type.Integer(),
  requestId: Type.String({ description: "Sent as `X-Request-Id`." }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: "Null: no answer came." }),
  error: Type.Union([Type.String(), Type.Null()]),
  answer: Type.String({ description: "The beginning of what was answered." }),
  answerBytes: Type.Optional(
    Type.Integer({ description: "So much of the answer was read, 65536 at most." }),
  ),
  isCut: Type.Optional(
    Type.Boolean({ description: "The answer was longer, and its connection was cut." }),
  ),
});

const statuses = ["pending", "delivered", "parked", "cancelled"] as const;

const OrAbsent = Type.Union([Type.String(), Type.Null()]);

export const DeliveryOut = Type.Object(
  {
    _id: Type.String(),
    id: Type.String(),
    webhookId: Type.String(),
    event: Type.String(),
    projectId: OrAbsent,
    collection: OrAbsent,
    identifier: OrAbsent,
    status: Type.Enum([...statuses], {
      description:
        "`parked`: it failed ten times and is not tried any more; `cancelled`: what it told was erased, or is not for the webhook's maker any more.",
    }),
    attempts: Type.Integer({
      description:
        "Since it was made, or asked to be retried; without those answered 429 or 503 with `Retry-After`.",
    }),
    tried: Type.Array(AttemptOut, { description: "The last twenty tries, oldest first." }),
    nextAt: Type.Union([Time, Type.Null()]),
    createdAt: Time,
    endedAt: Type.Union([Time, Type.Null()]),
    links: Links,
  },
  { title: "WebhookDelivery" },
);
export type DeliveryOut = Static<typeof DeliveryOut>;

/** Of deliveries, also where configurations of other kinds are told of. */
const Collection = Type.String({ minLength: 1, maxLength: 32 });

export const DeliveriesQueryIn = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  cursor: Type.Optional(Type.String({ maxLength: 2_048, description: "Taken from `links.next`." })),
  status: Type.Optional(Type.Enum([...statuses])),
  event: Type.Optional(SentName),
  projectId: Type.Optional(Id),
  collection: Type.Optional(Collection),
  identifier: Type.Optional(Id),
});

export const ReplayIn = Type.Object({
  since: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: "An instant (RFC 3339), or a cursor of the list of events.",
  }),
});

export const EventsQueryIn = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: "Taken from `links.next`; without one the list begins with what happens next.",
    }),
  ),
  projectId: Type.Optional(Id),
  collection: Type.Optional(filters.collection),
  identifier: Type.Optional(filters.identifier),
  events: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: "Names, separated by commas; all where it is left out.",
    }),
  ),
});

export const EventOut = Type.Object(
  {
    id: Type.String({ description: "The `webhook-id` that it is delivered with." }),
    type: Type.String(),
    timestamp: Time,
    data: Type.Object({}, { additionalProperties: true }),
  },
  { title: "Event" },
);
export type EventOut = Static<typeof EventOut>;
