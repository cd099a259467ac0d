"use server";
import { cookies } from "next/headers";
import { ACCOUNT } from "../consent/settings";

/**
 * Signs a customer in, or out without a number. The layout is rendered again with the other token, and the provider applies
 * it. A real shop checks a password.
 */
export async function signInOrOut(form: FormData): Promise<void> {
  const account = form.get("account");
  const store = await cookies();
  if (typeof account === "string" && /^[\w-]{1,64}$/.test(account))
    store.set(ACCOUNT, account, { httpOnly: true, sameSite: "lax" });
  else store.delete(ACCOUNT);
}
