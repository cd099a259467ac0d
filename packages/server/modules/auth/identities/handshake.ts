import { timingSafeEqual } from "node:crypto";
import type { PendingSignIn } from "../../../platform/providers/provider.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";

const HANDSHAKE_SECONDS = 600;
/** Lifetime of a one-time code, enough to load a page. */
export const CODE_SECONDS = 60;
/** Lifetime for a user with a second factor, who has to enter a code first. */
export const CODE_WITH_FACTOR_SECONDS = 300;

/** A pending sign-in, stored encrypted in the browser for ten minutes. */
export interface Handshake extends PendingSignIn {
  provider: string;
  redirectUri: string;
  linkTo: string | undefined;
  /** The invitation that a new account accepts. */
  invitationToken?: string | undefined;
  endsAt: number;
}

/** One cookie for each sign-in, so that two tabs do not interfere. */
function toCookieName(state: string): string {
  return `avow_${hashToken(state).toString("hex").slice(0, 16)}`;
}

interface Cookie {
  state: string;
  /** The path of the callback. */
  path: string;
  /** Whether it is sent with a POST from the provider's site. */
  isCrossSite: boolean;
  isSecure: boolean;
}

function toAttributes({ path, isCrossSite, isSecure }: Cookie, seconds: number): string {
  const site = isCrossSite ? "None" : "Lax";
  const secure = isSecure || isCrossSite ? "; Secure" : "";
  return `; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${site}${secure}`;
}

/** The `Set-Cookie` header that starts a sign-in. */
export function toHandshakeCookie(sealer: Sealer, handshake: Handshake, cookie: Cookie): string {
  return `${toCookieName(cookie.state)}=${sealer.seal(handshake)}${toAttributes(cookie, HANDSHAKE_SECONDS)}`;
}

/** The `Set-Cookie` header that deletes the cookie. */
export function toEndedCookie(cookie: Cookie): string {
  return `${toCookieName(cookie.state)}=${toAttributes(cookie, 0)}`;
}

/** The expiry of a sign-in started at `now`. */
export function toEnd(now: Date): number {
  return now.getTime() + HANDSHAKE_SECONDS * 1_000;
}

/** Finds the pending sign-in of this browser with this provider and state. */
export function findHandshake(
  sealer: Sealer,
  cookies: string | undefined,
  { provider, state, now }: { provider: string; state: string; now: Date },
): Handshake | undefined {
  const name = toCookieName(state);
  const handshake = openCookie(sealer, cookies, name) as Handshake | undefined;
  if (!handshake || handshake.provider !== provider || handshake.endsAt <= now.getTime())
    return undefined;
  return timingSafeEqual(hashToken(handshake.state), hashToken(state)) ? handshake : undefined;
}

/** A one-time code of this browser, in a sealed cookie for the lifetime of the code. */
interface OwnCode {
  codeHash: string;
  endsAt: number;
}

interface CodeCookie {
  code: string;
  now: Date;
  isSecure: boolean;
}

const hashOf = (code: string): string => hashToken(code).toString("hex");

/** With https bound to the host, so that no sibling domain can set one. */
function toCodeCookieName(code: string, isSecure: boolean): string {
  return `${isSecure ? "__Host-" : ""}avow-code-${hashOf(code).slice(0, 16)}`;
}

/** The header that binds `code` to the browser that started the sign-in. */
export function toCodeCookie(
  sealer: Sealer,
  { code, now, isSecure, seconds }: CodeCookie & { seconds: number },
): string {
  const own: OwnCode = { codeHash: hashOf(code), endsAt: now.getTime() + seconds * 1_000 };
  const secure = isSecure ? "; Secure" : "";
  const attributes = `; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  return `${toCodeCookieName(code, isSecure)}=${sealer.seal(own)}${attributes}`;
}

/** Whether `code` was issued to this browser, so that a link with an attacker's code does not sign it in. */
export function isOwnCode(
  sealer: Sealer,
  cookies: string | undefined,
  { code, now, isSecure }: CodeCookie,
): boolean {
  const own = openCookie(sealer, cookies, toCodeCookieName(code, isSecure)) as OwnCode | undefined;
  return own !== undefined && own.codeHash === hashOf(code) && own.endsAt > now.getTime();
}

/** The contents of a cookie that this service sealed; undefined for any other. */
function openCookie(sealer: Sealer, cookies: string | undefined, name: string): unknown {
  const pair = (cookies ?? "").split(";").find((one) => one.trim().startsWith(`${name}=`));
  return sealer.open(pair?.trim().slice(name.length + 1) ?? "");
}
