import { Type, type Static } from "typebox";
import { webhookEvents } from "@avow/contract/webhooks";
import { TEST_EVENT } from "./events.ts";

export const Id = Type.String({
  pattern: "^[0-9a-f]{24}$",
  description: "24 hexadecimal characters",
});
export const Time = Type.String({ format: "date-time" });
export const Links = Type.Record(Type.String(), Type.String());

const toEventName = (names: readonly string[], description: string) =>
  Type.String({
    maxLength: 64,
    pattern: `^(${[...names, "consent/[0-9a-f]{24}"].map((name) => name.replaceAll(".", "\\.")).join("|")})$`,
    description,
  });
const EventName = toEventName(
  webhookEvents,
  "an event such as consent.created, or the older consent/{projectId}",
);
export const SentName = toEventName([...webhookEvents, TEST_EVENT], "an event, or webhook.test");

const Address = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: "The URL to post events to: https, on the public internet.",
});

const fields = {
  url: Type.Optional(Address),
  uri: Type.Optional(Address),
  events: Type.Optional(Type.Array(EventName, { minItems: 1, maxItems: 32 })),
  event: Type.Optional(EventName),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 1_024 }), {
      description: "Sent with each delivery. Stored encrypted, and returned without values.",
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
};
export const Collection = Type.Enum(["cookies", "processings", "contracts"]);

export const WebhookIn = Type.Object({
  ...fields,
  projectId: Type.Optional(Id),
  collection: Type.Optional(Collection),
  identifier: Type.Optional(Id),
});
export type WebhookIn = Static<typeof WebhookIn>;

export const WebhookPatchIn = Type.Object({
  ...fields,
  projectId: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: "Must be unchanged: the project of a webhook cannot be changed.",
    }),
  ),
  collection: Type.Optional(Type.Union([Collection, Type.Null()])),
  identifier: Type.Optional(Type.Union([Id, Type.Null()])),
});
export type WebhookPatchIn = Static<typeof WebhookPatchIn>;

export const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const out = {
  _id: Type.String(),
  id: Type.String(),
  url: Type.String(),
  uri: Type.String(),
  events: Type.Array(Type.String()),
  event: Type.String({ description: "The first of `events`." }),
  projectId: Type.Union([Type.String(), Type.Null()], {
    description: "Null: every project whose events the creator may receive.",
  }),
  collection: TextOrNull,
  identifier: TextOrNull,
  headers: Type.Record(Type.String(), Type.String()),
  enabled: Type.Boolean(),
  disabledBecause: Type.Union([Type.String(), Type.Null()], {
    description:
      "`owner`; `gone`: it returned 410; `failing`: it failed for five days. Null while enabled.",
  }),
  failingSince: Type.Union([Time, Type.Null()]),
  publicKey: Type.String({ description: "Verifies Ed25519 signatures (v1a)." }),
  earlierPublicKeys: Type.Array(Type.Object({ publicKey: Type.String(), endsAt: Time }), {
    description: "Earlier keys, which sign too until they end; the newest first.",
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
  { ...out, secret: Type.String({ description: "Returned only once." }) },
  { title: "WebhookWithSecret" },
);
export type SecretOut = Static<typeof SecretOut>;

export const WebhooksOut = Type.Object({ webhooks: Type.Array(WebhookOut) });

export const WebhookParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

export const RotateIn = Type.Optional(
  Type.Union([
    Type.Object({
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 168,
          description:
            "Hours for which deliveries are signed with the previous secret or key as well; 24 by default. 0: only with the new one.",
        }),
      ),
    }),
    Type.Null(),
  ]),
);
