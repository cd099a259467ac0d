import type { Mutation } from "./mutation.ts";

export const evidence: readonly Mutation[] = [];
