import type { Mutation } from "./mutation.ts";

export const auth: readonly Mutation[] = [];
