import type { Mutation } from "./mutation.ts";

export const consents: readonly Mutation[] = [];
