interface Policy {
  createScript(text: string): string;
  createScriptURL(url: string): string;
}

type Factory = { createPolicy(name: string, rules: Policy): Policy };

const same = (text: string): string => text;
const rules: Policy = { createScript: same, createScriptURL: same };
let policy: Policy | undefined;

/**
 * Where a page enforces Trusted Types it names the policy `avow`: two things go through it, the tags that
 * the page itself wrote, and the widget's own files, whose hashes are checked.
 */
function findPolicy(): Policy {
  const { trustedTypes } = window as { trustedTypes?: Factory };
  return (policy ??= trustedTypes?.createPolicy("avow", rules) ?? rules);
}

/** The text of a script that the page wrote. */
export function toTrustedScript(text: string): string {
  return findPolicy().createScript(text);
}

/** The address of a script that the page wrote, or of a file of the widget. */
export function toTrustedUrl(url: string): string {
  return findPolicy().createScriptURL(url);
}
