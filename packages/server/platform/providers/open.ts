import type { JsonObject } from "@avow/contract/json";
import { createPrivateKey, sign } from "node:crypto";
import * as client from "openid-client";
import { codeOf } from "../errors.ts";
import { toClaimText, toSubject } from "./claims.ts";
import type { ClientSecret, ProviderSettings } from "./presets.ts";
import { type Begun, type Profile, type Provider, ProviderError } from "./provider.ts";
import { readFacebookProfile, readGithubProfile } from "./without-oidc.ts";

const TIMEOUT_SECONDS = 10;
/** What a provider says of itself (endpoints, keys) is asked again after that. */
const DISCOVERED_MS = 3_600_000;
const APPLE_SECRET_SECONDS = 600;

interface OpenOptions {
  settings: ProviderSettings;
  now: () => Date;
}

/** Opens a provider; nothing is asked of it until somebody signs in. */
export function openProvider({ settings, now }: OpenOptions): Provider {
  const configure = openConfiguration(settings, now);
  const { kind, name, title, answersByPost, scope } = settings;
  return {
    name,
    title,
    answersByPost,
    begin: (redirectUri) =>
      translate(async () => {
        const begun: Begun = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope,
          state: begun.state,
          code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: "S256",
          ...(kind === "oidc" ? { nonce: begun.nonce } : {}),
          ...(answersByPost ? { response_mode: "form_post" } : {}),
        });
        return { url: url.href, begun };
      }),
    finish: (url, begun) =>
      translate(async () => {
        const configuration = await configure();
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: begun.state,
          pkceCodeVerifier: begun.verifier,
          ...(kind === "oidc" ? { expectedNonce: begun.nonce, idTokenExpected: true } : {}),
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
 * Who came, by the ID token. Where that is thin, as a provider may have it that also gives an access token
 * (OpenID Connect Core 1.0, section 5.4), the rest is asked of its UserInfo.
 */
async function readProfile(
  configuration: client.Configuration,
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
): Promise<Profile> {
  const claims = tokens.claims();
  if (!claims) throw new ProviderError("wrong", "no ID token came");
  // One name may be set to another issuer one day, and then a subject is somebody else.
  const subject = `${claims.iss}|${toSubject(claims.sub)}`;
  const isThin =
    toClaimText(claims["email"]) === undefined || toClaimText(claims["name"]) === undefined;
  const info: JsonObject =
    isThin && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
  // An address, and whether it is confirmed, from the same of the two.
  const told: JsonObject = toClaimText(claims["email"]) ? claims : info;
  const { email, email_verified: verified } = told;
  return {
    subject,
    email: toClaimText(email),
    // Apple writes it as text. Without the word of the provider anybody may have typed the address.
    isEmailVerified: verified === true || verified === "true",
    name: toClaimText(claims["name"]) ?? toClaimText(info["name"]),
  };
}

/** What is known of the provider, found by its issuer and kept for an hour; a failure is not kept. */
function openConfiguration(
  settings: ProviderSettings,
  now: () => Date,
): () => Promise<client.Configuration> {
  let found: { configuration: client.Configuration; at: number } | undefined;
  return async () => {
    const isFresh = found && now().getTime() - found.at < DISCOVERED_MS;
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
  // Settings allow http for this machine alone.
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

/** Apple's client secret: a token that we sign (ES256), good for ten minutes. */
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

/** Errors of the library hold what was sent; a log gets their codes alone. */
async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (error instanceof client.AuthorizationResponseError)
      throw new ProviderError("refused", "the provider answered that it was refused");
    if (
      error instanceof client.ResponseBodyError ||
      error instanceof client.WWWAuthenticateChallengeError
    )
      throw new ProviderError(
        error.status >= 500 ? "away" : "wrong",
        `the provider answered ${error.status}`,
      );
    const code = codeOf(error);
    const isAway =
      (error instanceof TypeError && error.message === "fetch failed") ||
      ["OAUTH_TIMEOUT", "OAUTH_ABORT"].includes(code) ||
      (error instanceof DOMException && error.name === "TimeoutError");
    if (isAway) throw new ProviderError("away", "the provider does not answer");
    if (error instanceof client.ClientError)
      throw new ProviderError("wrong", `what came back does not hold (${code || "unknown"})`);
    throw error;
  }
}
