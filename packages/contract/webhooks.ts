/** Events that webhooks can subscribe to (wire section 6), most common first. */
export const webhookEvents = [
  "consent.created",
  "consent.withdrawn",
  "consent.erased",
  "publish.done",
  "publish.failed",
  "review.requested",
  "approval.given",
  "comment.created",
  "configuration.created",
  "configuration.updated",
  "configuration.deleted",
  "project.created",
  "project.updated",
  "project.deleted",
  "export.done",
  "import.done",
  "user.invited",
  "user.joined",
  "subscription.updated",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
