import { type Setting, integer, oneOf, someOf, text } from "./setting-kinds.ts";

/** What passwords have to be, how long links that set one work, and who needs more than one: a part of `settings`. */
export const passwordSettings = {
  PASSWORD_LENGTH_MIN: {
    kind: integer(1, 64),
    default: "1",
    help: "Characters that a new password has at least; 15 is what NIST advises, 8 what ASVS asks for.",
  },
  PASSWORDS_REFUSED: {
    kind: someOf(["common", "context"]),
    default: "",
    help: "New passwords that are refused, separated by commas: common (the 49,000 most used), context (little more than the person's names, those of the service, or its host).",
  },
  PASSWORDS_BREACHED: {
    kind: text("a file", 4_096),
    defaultShown: "none",
    help: "File of breached passwords that are refused too, as Pwned Passwords has it: SHA-1 hashes in order, one a line (docs/operate.md).",
  },
  RESET_LINK_MINUTES: {
    kind: integer(1, 60),
    default: "60",
    help: "Minutes for which a mailed link sets a new password; 10 is what ASVS asks for.",
  },
  SECOND_FACTOR: {
    kind: oneOf(["optional", "required"]),
    default: "optional",
    help: "Whether people need a second factor: required leaves sessions of those without one nothing but their account, where they add it. API keys are not asked.",
  },
} as const satisfies Record<string, Setting>;
