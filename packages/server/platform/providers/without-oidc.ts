import { readObject } from "@avow/contract/json";
import { toClaimText, toSubject } from "./claims.ts";
import type { ProviderSettings } from "./presets.ts";
import { type Profile, ProviderError } from "./provider.ts";

const BODY_BYTES_MAX = 256 * 1_024;

interface Reading {
  settings: ProviderSettings;
  accessToken: string;
  timeoutMs: number;
}

/** GitHub supports OAuth 2 only, so the user and their addresses are requested separately. */
export async function readGithubProfile(reading: Reading): Promise<Profile> {
  const { user, emails } = reading.settings.endpoints;
  const { id, login, name } = readObject(await readJson(reading, user));
  if (typeof id !== "number") throw new ProviderError("invalid", "the provider returned no id");
  const listed = await readJson(reading, emails);
  const primary = (Array.isArray(listed) ? listed : [])
    .map(readObject)
    .find((one) => one["primary"] === true && typeof one["email"] === "string");
  return {
    subject: toOwnSubject(reading, String(id)),
    email: toClaimText(primary?.["email"]),
    isEmailVerified: primary?.["verified"] === true,
    name: toClaimText(name) ?? toClaimText(login),
  };
}

/** Facebook does not report whether an address is verified, so it counts as unverified. */
export async function readFacebookProfile(reading: Reading): Promise<Profile> {
  const { id, name, email } = readObject(await readJson(reading, reading.settings.endpoints.user));
  return {
    subject: toOwnSubject(reading, toSubject(id)),
    email: toClaimText(email),
    isEmailVerified: false,
    name: toClaimText(name),
  };
}

/** The API's origin is the issuer, since self-hosted servers also number their users from 1. */
function toOwnSubject({ settings }: Reading, id: string): string {
  return `${new URL(settings.endpoints.user).origin}|${id}`;
}

async function readJson({ accessToken, timeoutMs }: Reading, address: string): Promise<unknown> {
  const answer = await fetch(address, {
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: "application/json",
      "user-agent": "avow",
    },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new ProviderError(
      answer.status >= 500 ? "unavailable" : "invalid",
      `the provider answered ${answer.status}`,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX)
      throw new ProviderError("invalid", "the provider's response is too long");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new ProviderError("invalid", "the provider's response is not JSON");
  }
}
