import { auth } from "./auth.ts";
import { consents } from "./consents.ts";
import { evidence } from "./evidence.ts";
import type { Mutation } from "./mutation.ts";
import { publish } from "./publish.ts";
import { vault } from "./vault.ts";
import { webhooks } from "./webhooks.ts";

/** The faults of each area. */
export const areas: Record<string, readonly Mutation[]> = {
  consents,
  evidence,
  auth,
  publish,
  webhooks,
  vault,
};
