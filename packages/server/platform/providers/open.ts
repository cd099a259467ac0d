import type { JsonObject } from "@avow/contract/json";
import { createPrivateKey, sign } from "node:crypto";
import * as client from "openid-client";
import { codeOf } from "../errors.ts";
import { toClaimText, toSubject } from "./claims.ts";
import { type ClientSecret, type ProviderSettings, isOfOrganization } from "./presets.ts";
import { type PendingSignIn, type Profile, type Provider, ProviderError } from "./provider.ts";
import { readFacebookProfile, readGithubProfile } from "./without-oidc.ts";

const TIMEOUT_SECONDS = 10;
/** Lifetime of a provider's discovered metadata (endpoints, keys). */
const METADATA_TTL_MS = 3_600_000;
const APPLE_SECRET_SECONDS = 600;

interface OpenOptions {
  settings: ProviderSettings;
  now: () => Date;
}

/** Opens a provider. The first sign-in sends the first request to it. */
export function openProvider({ settings, now }: OpenOptions): Provider {
  const configure = openConfiguration(settings, now);
  const { kind, name, title, answersByPost, scope } = settings;
  return {
    name,
    title,
    isOfOrganization: isOfOrganization(settings),
    answersByPost,
    begin: (redirectUri) =>
      translate(async () => {
        const pending: PendingSignIn = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope,
          state: pending.state,
          code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: "S256",
          ...(kind === "oidc" ? { nonce: pending.nonce } : {}),
          ...(answersByPost ? { response_mode: "form_post" } : {}),
        });
        return { url: url.href, pending };
      }),
    finish: (url, pending) =>
      translate(async () => {
        const configuration = await configure();
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: pending.state,
          pkceCodeVerifier: pending.verifier,
          ...(kind === "oidc" ? { expectedNonce: pending.nonce, idTokenExpected: true } : {}),
        });
        const read = {
          settings,
          accessToken: tokens.access_token,
          timeoutMs: TIMEOUT_SECONDS * 1_000,
        };
        if (kind === "github") return readGithubProfile(read);
        if (kind === "facebook") return readFacebookProfile(read);
        return readProfile(configuration, tokens);
      }),
  };
}

/**
 * Reads the profile from the ID token. Claims that it lacks, which a provider may omit when it also issues an
 * access token (OpenID Connect Core 1.0, section 5.4), are requested from the UserInfo endpoint.
 */
async function readProfile(
  configuration: client.Configuration,
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
): Promise<Profile> {
  const claims = tokens.claims();
  if (!claims) throw new ProviderError("invalid", "the provider returned no ID token");
  // With the issuer: if a provider's name is configured with another issuer, its subjects are other people.
  const subject = `${claims.iss}|${toSubject(claims.sub)}`;
  const isIncomplete =
    toClaimText(claims["email"]) === undefined || toClaimText(claims["name"]) === undefined;
  const info: JsonObject =
    isIncomplete && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
  // The address and its verification come from the same source.
  const source: JsonObject = toClaimText(claims["email"]) ? claims : info;
  const { email, email_verified: verified } = source;
  return {
    subject,
    email: toClaimText(email),
    // Apple sends a string. An address that the provider has not verified may belong to another person.
    isEmailVerified: verified === true || verified === "true",
    name: toClaimText(claims["name"]) ?? toClaimText(info["name"]),
  };
}

/** The provider's configuration, discovered from its issuer and cached for an hour. A failure is not cached. */
function openConfiguration(
  settings: ProviderSettings,
  now: () => Date,
): () => Promise<client.Configuration> {
  let found: { configuration: client.Configuration; at: number } | undefined;
  return async () => {
    const isFresh = found && now().getTime() - found.at < METADATA_TTL_MS;
    if (!found || !isFresh)
      found = { configuration: await discover(settings, now), at: now().getTime() };
    return found.configuration;
  };
}

async function discover(
  settings: ProviderSettings,
  now: () => Date,
): Promise<client.Configuration> {
  const { kind, issuer, clientId, secret, endpoints } = settings;
  const authentication = toAuthentication(secret, { issuer, clientId, now });
  // Settings allow http for the local machine only.
  const execute = [issuer, endpoints.token].some((address) => address.startsWith("http:"))
    ? [client.allowInsecureRequests]
    : [];
  if (kind === "oidc")
    return client.discovery(new URL(issuer), clientId, undefined, authentication, {
      timeout: TIMEOUT_SECONDS,
      execute,
    });
  const configuration = new client.Configuration(
    { issuer, authorization_endpoint: endpoints.authorize, token_endpoint: endpoints.token },
    clientId,
    undefined,
    authentication,
  );
  configuration.timeout = TIMEOUT_SECONDS;
  for (const allow of execute) allow(configuration);
  return configuration;
}

function toAuthentication(
  secret: ClientSecret,
  of: { issuer: string; clientId: string; now: () => Date },
): client.ClientAuth {
  if (secret.kind === "text") return client.ClientSecretPost(secret.text);
  return (server, metadata, body, headers) =>
    client.ClientSecretPost(signSecret(secret, of))(server, metadata, body, headers);
}

/** Apple's client secret: a JWT signed here (ES256), valid for ten minutes. */
function signSecret(
  { teamId, keyId, privateKey }: Extract<ClientSecret, { kind: "key" }>,
  { issuer, clientId, now }: { issuer: string; clientId: string; now: () => Date },
): string {
  const seconds = Math.floor(now().getTime() / 1_000);
  const head = encode({ alg: "ES256", kid: keyId });
  const claims = { iss: teamId, sub: clientId, aud: issuer, iat: seconds };
  const body = encode({ ...claims, exp: seconds + APPLE_SECRET_SECONDS });
  const key = { key: createPrivateKey(privateKey), dsaEncoding: "ieee-p1363" } as const;
  const signature = sign("sha256", Buffer.from(`${head}.${body}`), key);
  return `${head}.${body}.${signature.toString("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Errors of the library contain request data, so only their codes are logged. */
async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (error instanceof client.AuthorizationResponseError)
      throw new ProviderError("refused", "the provider or the user refused the sign-in");
    if (
      error instanceof client.ResponseBodyError ||
      error instanceof client.WWWAuthenticateChallengeError
    )
      throw new ProviderError(
        error.status >= 500 ? "unavailable" : "invalid",
        `the provider answered ${error.status}`,
      );
    const code = codeOf(error);
    const isUnavailable =
      (error instanceof TypeError && error.message === "fetch failed") ||
      ["OAUTH_TIMEOUT", "OAUTH_ABORT"].includes(code) ||
      (error instanceof DOMException && error.name === "TimeoutError");
    if (isUnavailable) throw new ProviderError("unavailable", "the provider does not respond");
    if (error instanceof client.ClientError)
      throw new ProviderError("invalid", `the response is not valid (${code || "unknown"})`);
    throw error;
  }
}
