import { type Markup, markup } from "../../../platform/markup.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Role } from "../schema.ts";
import { toAccountPage } from "./page.ts";
import { pageWords } from "./words.ts";

interface Shown {
  language: MailLanguage;
  token: string;
  /** What went wrong with what was sent last. */
  fault: string | undefined;
}

function toFault(fault: string | undefined): Markup | undefined {
  return fault === undefined ? undefined : markup`<p class="fault" role="alert">${fault}</p>\n`;
}

/** Where a mailed link sets a new password. */
export function toResetPage({ language, token, fault }: Shown): string {
  const { title, lead, password, button } = pageWords[language].reset;
  const body = markup`<p>${lead}</p>
${toFault(fault)}<form method="post" action="reset">
<input type="hidden" name="token" value="${token}">
<label>${password}<input type="password" name="password" required maxlength="1024" autocomplete="new-password"></label>
<button>${button}</button>
</form>`;
  return toAccountPage({ language, title, body });
}

/** Where a mailed link confirms an address, once its reader says so. */
export function toConfirmPage({
  language,
  token,
  email,
}: Omit<Shown, "fault"> & { email: string }): string {
  const { title, lead, button } = pageWords[language].confirm;
  const body = markup`<p>${lead(email)}</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>`;
  return toAccountPage({ language, title, body });
}

/** Where a mailed invitation is accepted: with a new account, or one that is there. */
export function toInvitationPage({
  language,
  token,
  fault,
  email,
  ...invited
}: Shown & { email: string; inviter: string; title: string; role: Role }): string {
  const words = pageWords[language].invitation;
  const body = markup`<p>${words.lead(invited)}</p>
${toFault(fault)}<form method="post" action="invitation">
<input type="hidden" name="token" value="${token}">
<label>${words.email}<input type="email" name="email" value="${email}" required autocomplete="username"></label>
<label>${words.password}<input type="password" name="password" required maxlength="1024" autocomplete="current-password"></label>
<button name="do" value="signup">${words.signUp}</button>
<button class="second" name="do" value="signin">${words.signIn}</button>
</form>`;
  return toAccountPage({ language, title: words.title, body });
}

/** A page that only tells something. */
export function toNotePage(
  language: MailLanguage,
  { title, lead }: { title: string; lead: string },
): string {
  return toAccountPage({ language, title, body: markup`<p>${lead}</p>` });
}
