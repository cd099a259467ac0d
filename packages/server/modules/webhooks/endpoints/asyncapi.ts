import { webhookEvents } from "@avow/contract/webhooks";
import { version } from "../../../platform/version.ts";
import { type EventDeclaration, TEST_EVENT, declaredEvents, declaredTest } from "./events.ts";

/** The headers that every delivery carries (Standard Webhooks). */
const headers = {
  type: "object",
  required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
  properties: {
    "webhook-id": {
      type: "string",
      description: "The same for each attempt, so that duplicates can be dropped.",
    },
    "webhook-timestamp": { type: "string", description: "Seconds since 1970 when it was sent." },
    "webhook-signature": {
      type: "string",
      description:
        "`v1,` and an HMAC-SHA256, `v1a,` and an Ed25519 signature; separated by spaces.",
    },
    "x-request-id": { type: "string", description: "Another one for each attempt." },
  },
};

/** The AsyncAPI 3 document of all deliveries. */
export function toAsyncApi(publicUrl: string): object {
  const summary = "The older name of consent.created: the record itself is the body.";
  const payload = declaredEvents["consent.created"].data;
  const messages = Object.fromEntries([
    ...webhookEvents.map((name) => [name, toEventMessage(name, declaredEvents[name])]),
    [TEST_EVENT, toEventMessage(TEST_EVENT, declaredTest)],
    ["consent", toMessage("consent/{projectId}", summary, payload)],
  ]);
  const names = Object.keys(messages);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Avow webhooks",
      version,
      description: `Events, posted to the URL that was registered at ${publicUrl}/v1/webhooks: signed according to Standard Webhooks, at least once, and in order for each token.`,
      license: { name: "Apache-2.0" },
    },
    defaultContentType: "application/json",
    channels: {
      webhook: {
        address: null,
        description: "The address of the webhook.",
        messages: Object.fromEntries(
          names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      deliver: {
        action: "send",
        channel: { $ref: "#/channels/webhook" },
        messages: names.map((name) => ({ $ref: `#/channels/webhook/messages/${name}` })),
      },
    },
    components: { messages },
  };
}

function toMessage(name: string, summary: string, payload: object): object {
  return { name, title: name, summary, contentType: "application/json", headers, payload };
}

function toEventMessage(name: string, { summary, data }: EventDeclaration): object {
  return toMessage(name, summary, {
    type: "object",
    required: ["type", "timestamp", "data"],
    properties: {
      type: { type: "string", const: name },
      timestamp: { type: "string", format: "date-time", description: "When it happened." },
      data,
    },
  });
}
