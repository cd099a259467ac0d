import { cookies } from "next/headers";
import { ACCOUNT } from "../consent/settings";

/** Signs a customer in or out. A real shop checks a password. */
export async function POST(request: Request): Promise<Response> {
  const account = (await request.formData()).get("account");
  const store = await cookies();
  if (typeof account === "string" && /^[\w-]{1,64}$/.test(account))
    store.set(ACCOUNT, account, { httpOnly: true, sameSite: "lax" });
  else store.delete(ACCOUNT);
  return new Response(null, { status: 303, headers: { location: "/" } });
}
