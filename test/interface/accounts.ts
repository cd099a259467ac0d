import { randomBytes } from "node:crypto";
import { type TestAnswer, type TestRequest, service } from "../harness.ts";

export const signupPath = "/v1/auth/local/signup";
export const signinPath = "/v1/auth/local/signin";
export const password = "correct horse";

export const signUp = (json: unknown): Promise<TestAnswer> => service.fetch(signupPath, { json });
export const signIn = (username: string, given: string = password): Promise<TestAnswer> =>
  service.fetch(signinPath, { json: { username, password: given } });
export const getMe = (token: string): Promise<TestAnswer> =>
  service.fetch("/v1/auth/me", { token });

/** Signs up a unique user at the service behind `send`. */
export async function newUserBy(
  send: (path: string, request: TestRequest) => Promise<TestAnswer>,
): Promise<{ token: string; email: string; id: string }> {
  const email = `user-${unique()}@example.org`;
  const { status, body } = await send(signupPath, { json: { email, password } });
  if (status !== 200) throw new Error(`no user: ${status} ${JSON.stringify(body)}`);
  const me = await send("/v1/auth/me", { token: body.token });
  return { token: body.token, email, id: me.body.id };
}

export function unique(): string {
  return randomBytes(6).toString("hex");
}

export function faultPaths(answer: TestAnswer): string[] {
  return answer.body.errors.map((fault: { path: string }) => fault.path);
}

export async function eventsOf(userId: string): Promise<string[]> {
  const rows = await service.db
    .selectFrom("events")
    .select("name")
    .where("actor", "=", userId)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.name);
}
