import { toLoginName } from "../../../kernel/logins.ts";
import { type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { isMailAddress, mailAddressPattern } from "../../../platform/mail/mail.ts";
import { DISPLAY_NAME_LENGTH_MAX, LOGIN_LENGTH_MAX } from "../users/schema.ts";
import type { MePatchIn, SignupIn } from "./schema.ts";

/** A requested account, with its names checked and its defaults filled in. */
export interface Account {
  username: string;
  email: string;
  displayName: string;
  firstName: string | null;
  lastName: string | null;
}

/** Controls, line separators, and the marks that change the reading order of text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/**
 * Validates and completes a requested account (wire section 1): username and e-mail default to one another, the
 * display name to the part before the @.
 *
 * @throws Fault invalid with all errors
 */
export function toAccount(input: SignupIn): Account {
  const given = { username: toName(input.username), email: toName(input.email) };
  assertNoFaults([
    ...findLoginFaults("/username", given.username),
    ...findLoginFaults("/email", given.email),
    ...(given.email === undefined || mailAddressPattern.test(given.email)
      ? []
      : [{ path: "/email", message: "must be an e-mail address" }]),
    ...findForeignAddressFaults(given),
    ...findTextFaults(input),
  ]);
  const email = given.email ?? given.username ?? "";
  return {
    username: given.username ?? email,
    email,
    displayName: input.displayName?.trim() ?? toDisplayName(email),
    firstName: input.firstName?.trim() || null,
    lastName: input.lastName?.trim() || null,
  };
}

/** The changed names, trimmed; null for a removed one. @throws Fault invalid */
export function toNameChanges(input: MePatchIn): Partial<Account> {
  assertNoFaults(findTextFaults(input));
  const { displayName, firstName, lastName } = input;
  return {
    ...(displayName === undefined ? {} : { displayName: displayName.trim() }),
    ...(firstName === undefined ? {} : { firstName: firstName?.trim() || null }),
    ...(lastName === undefined ? {} : { lastName: lastName?.trim() || null }),
  };
}

function toName(login: string | undefined): string | undefined {
  return login?.normalize("NFKC").trim();
}

function toDisplayName(email: string): string {
  const local = email.split("@", 1)[0] || email;
  return Array.from(local).slice(0, DISPLAY_NAME_LENGTH_MAX).join("");
}

function findLoginFaults(path: string, login: string | undefined): FieldFault[] {
  if (login === undefined) return [];
  const folded = toLoginName(login);
  if (folded === "") return [{ path, message: "must have at least one visible character" }];
  if (unprintable.test(login)) return [{ path, message: "must not contain control characters" }];
  // Case folding may lengthen a name, and the limit is on the indexed form.
  if (Math.max(login.length, folded.length) > LOGIN_LENGTH_MAX)
    return [{ path, message: `must not be longer than ${LOGIN_LENGTH_MAX} characters` }];
  return [];
}

/** An account with another user's address as username would get their mails, and block their sign-up. */
function findForeignAddressFaults({
  username,
  email,
}: Partial<Record<"username" | "email", string | undefined>>): FieldFault[] {
  if (username === undefined || email === undefined) return [];
  const name = toLoginName(username);
  if (!isMailAddress(name) || name === toLoginName(email)) return [];
  return [{ path: "/username", message: "must not be an e-mail address other than `email`" }];
}

function findTextFaults(input: MePatchIn): FieldFault[] {
  const { displayName, firstName, lastName } = input;
  const faults = Object.entries({ displayName, firstName, lastName })
    .filter(([, text]) => unprintable.test(text ?? ""))
    .map(([name]) => ({ path: `/${name}`, message: "must not contain control characters" }));
  if (displayName?.trim() === "")
    faults.push({ path: "/displayName", message: "must have at least one visible character" });
  return faults;
}
