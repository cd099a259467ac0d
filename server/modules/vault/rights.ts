/** What a person may be to a document, its project or its organization (wire section 2). */
export const roles = ["owner", "editor", "viewer", "auditor"] as const;
export type Role = (typeof roles)[number];

/**
 * Which roles allow what. An auditor reads proofs and the consents that they prove, and nothing else:
 * no configuration, no user, no version, and writes nothing.
 */
const rolesWith = {
  read: ["owner", "editor", "viewer"],
  write: ["owner", "editor"],
  delete: ["owner", "editor"],
  own: ["owner"],
  publish: ["owner", "editor"],
  importConsents: ["owner", "editor"],
  readConsents: ["owner", "editor", "viewer", "auditor"],
  receiveEvents: ["owner", "editor"],
  readProofs: ["owner", "editor", "viewer", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rolesWith;

/** The roles that give `right`. */
export function rolesFor(right: Right): readonly Role[] {
  return rolesWith[right];
}

/** Whether somebody with the roles `held` may do what `right` names. */
export function isAllowed(held: readonly string[], right: Right): boolean {
  return rolesWith[right].some((role) => held.includes(role));
}
