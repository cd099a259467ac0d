import type { Mutation } from "./mutation.ts";

export const webhooks: readonly Mutation[] = [];
