/** Operations that the run does not send, each with the reason. */
export const notCovered: Readonly<Record<string, string>> = {};

/** Violations that Prism reports though document and answer agree, each with the reason. */
export const prismErrors: readonly { operation: string; message: RegExp; reason: string }[] = [];
