import "server-only";
import { createConsentReader } from "@avow/react/server";
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { ACCOUNT, settings } from "./settings";

const readRequest = createConsentReader(settings);

/** The visitor's consent, once per request. */
export const readConsent = cache(async () => readRequest({ headers: await headers() }));

/** The identifier of the signed-in customer. */
export async function findAccount(): Promise<string | undefined> {
  // In the action that deletes it, the cookie is empty.
  return (await cookies()).get(ACCOUNT)?.value || undefined;
}
