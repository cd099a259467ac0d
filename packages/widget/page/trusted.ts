interface Policy {
  createScript(text: string): string;
  createScriptURL(url: string): string;
}

type Factory = { createPolicy(name: string, rules: Policy): Policy };

const same = (text: string): string => text;
const rules: Policy = { createScript: same, createScriptURL: same };
let policy: Policy | undefined;

/**
 * A page that enforces Trusted Types has to allow the policy `avow`. It is used for the page's own tags, and for the
 * widget's files, whose hashes are checked.
 */
function findPolicy(): Policy {
  const { trustedTypes } = window as { trustedTypes?: Factory };
  return (policy ??= trustedTypes?.createPolicy("avow", rules) ?? rules);
}

/** The text of a script of the page. */
export function toTrustedScript(text: string): string {
  return findPolicy().createScript(text);
}

/** The address of a script of the page, or of a file of the widget. */
export function toTrustedUrl(url: string): string {
  return findPolicy().createScriptURL(url);
}
