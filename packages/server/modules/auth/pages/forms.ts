import { type Markup, markup } from "../../../platform/text/markup.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { PasswordRule } from "../passwords/policy.ts";
import type { Role } from "../users/schema.ts";
import { toAccountPage } from "../../../platform/text/account-page.ts";
import { pageWords } from "./words.ts";

interface FormPage {
  /** The rule for a new password. */
  rule: PasswordRule;
  language: MailLanguage;
  token: string;
  /** The error of the form sent before. */
  fault: string | undefined;
}

function toFault(fault: string | undefined): Markup | undefined {
  return fault === undefined ? undefined : markup`<p class="fault" role="alert">${fault}</p>\n`;
}

/** The rule for a password as the description of its field; undefined where any is accepted. */
function toRule(language: MailLanguage, { lengthMin, refused }: PasswordRule): Markup | undefined {
  const { rule } = pageWords[language];
  const others = refused.filter((as) => as !== "short").map((as) => rule[as]);
  const sentences = [...(lengthMin > 1 ? [rule.short(lengthMin)] : []), ...others];
  if (sentences.length === 0) return undefined;
  return markup`<p class="hint" id="rule">${sentences.join(" ")}</p>
`;
}

/** A field for the code of a second factor: of an app, or a recovery code, which has letters. */
function toCodeField(language: MailLanguage): Markup {
  const { label, hint } = pageWords[language].code;
  return markup`<label>${label}<input name="code" required maxlength="64" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="code-hint"></label>
<p class="hint" id="code-hint">${hint}</p>
`;
}

/** The page of a mailed link that sets a new password. */
export function toResetPage({
  language,
  token,
  fault,
  rule,
  needsCode,
}: FormPage & { needsCode: boolean }): string {
  const { title, lead, password, button } = pageWords[language].reset;
  const ruleHint = toRule(language, rule);
  const body = markup`<p>${lead}</p>
${toFault(fault)}<form method="post" action="reset">
<input type="hidden" name="token" value="${token}">
<label>${password}<input type="password" name="password" required minlength="${rule.lengthMin}" maxlength="1024" autocomplete="new-password"${ruleHint ? markup` aria-describedby="rule"` : undefined}></label>
${ruleHint}${needsCode ? toCodeField(language) : undefined}<button>${button}</button>
</form>`;
  return toAccountPage({ language, title, body });
}

/** The page of a mailed link that confirms an address, by a button. */
export function toConfirmPage({
  language,
  token,
  email,
}: Omit<FormPage, "fault" | "rule"> & { email: string }): string {
  const { title, lead, button } = pageWords[language].confirm;
  const body = markup`<p>${lead(email)}</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>`;
  return toAccountPage({ language, title, body });
}

/** The page of a mailed invitation, accepted with a new or an existing account. */
export function toInvitationPage({
  language,
  token,
  fault,
  email,
  rule,
  needsCode,
  canSignUp,
  ...invited
}: FormPage & {
  email: string;
  needsCode: boolean;
  /** Whether the invitation can be accepted with a new account. */
  canSignUp: boolean;
  inviter: string;
  title: string;
  role: Role;
  /** The hint of the only address that can accept. */
  boundTo: string | undefined;
  /** The name of the organization's brand. */
  brand: string | undefined;
}): string {
  const words = pageWords[language].invitation;
  const { boundTo } = invited;
  const bound =
    boundTo === undefined
      ? undefined
      : markup`<p>${words.bound(boundTo)}</p>
`;
  const signUpText = boundTo === undefined ? words.signUp : words.signUpOnly;
  const signUp = canSignUp && !needsCode ? toSignUp(signUpText) : undefined;
  const ruleHint = signUp && toRule(language, rule);
  const { brand } = invited;
  const branded = brand === undefined ? undefined : markup`<p><strong>${brand}</strong></p>\n`;
  const body = markup`${branded}<p>${words.lead(invited)}</p>
${bound}${toFault(fault)}<form method="post" action="invitation">
<input type="hidden" name="token" value="${token}">
<label>${words.email}<input type="email" name="email" value="${email}" required autocomplete="username"></label>
<label>${words.password}<input type="password" name="password" required maxlength="1024" autocomplete="current-password"${ruleHint ? markup` aria-describedby="rule"` : undefined}></label>
${ruleHint}${needsCode ? toCodeField(language) : signUp}<button${signUp ? secondClass : undefined} name="do" value="signin">${words.signIn}</button>
</form>`;
  return toAccountPage({ language, title: words.title, body });
}

const secondClass = markup` class="second"`;
const toSignUp = (label: string): Markup =>
  markup`<button name="do" value="signup">${label}</button>\n`;
