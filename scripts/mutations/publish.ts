import type { Mutation } from "./mutation.ts";

export const publish: readonly Mutation[] = [];
