import type { Mutation } from "./mutation.ts";

export const vault: readonly Mutation[] = [];
