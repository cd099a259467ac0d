import { randomBytes } from "node:crypto";
import { type Client, Exchanges, assertStatus, createClient, toText } from "./client.ts";
import { type Options, readOptions } from "./options.ts";

export interface Account {
  client: Client;
  token: string;
  id: string;
  email: string;
  /** Undefined for an account of an existing token. */
  password: string | undefined;
}

const options = readOptions(process.argv.slice(2), process.env);
export const exchanges = new Exchanges();
/** A text that no other run uses. */
export const runId = randomBytes(6).toString("hex");

/** Options of this run; the command has printed its usage before a case asks for them. */
export function getOptions(): Options {
  if (!options) throw new Error("There are no options with --help.");
  return options;
}

/** The service without an access token, as a visitor sees it. */
export const visitor: Client = createClient(options?.baseUrl ?? "", {
  timeoutMs: options?.timeoutMs ?? 0,
  exchanges,
});
/** The service that signs in. */
export const login: Client = createClient(options?.loginUrl ?? "", {
  timeoutMs: options?.timeoutMs ?? 0,
  exchanges,
});

/** Returns the same promise for every call, so that cases share what they only read. */
export function once<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}

/** The account that owns all documents of the run. */
export const openOwner = once(async (): Promise<Account> => {
  const { token, credentials } = getOptions();
  if (token !== undefined) return toAccount(token, undefined);
  if (!credentials) return signUp("owner");
  const answer = assertStatus(await login.post("/v1/auth/local/signin", credentials), 200);
  return toAccount(toText(answer.json["token"]), credentials.password);
});

/** An account that shares no document with the owner; undefined if the run has none. */
export const openSecond = once(async (): Promise<Account | undefined> => {
  const { secondToken, mayCreateAccounts } = getOptions();
  if (secondToken !== undefined) return toAccount(secondToken, undefined);
  return mayCreateAccounts ? signUp("second") : undefined;
});

export const noAccount = "needs a second account: allow sign-up, or pass --second-token";

/** Signs up an account with a password of its own. */
export async function signUp(label: string, more: object = {}): Promise<Account> {
  const email = newEmail(label);
  const password = newPassword();
  const answer = await login.post("/v1/auth/local/signup", { email, password, ...more });
  assertStatus(answer, 200);
  return toAccount(toText(answer.json["token"], "token"), password);
}

export function newEmail(label: string): string {
  return `conformance-${label}-${runId}-${randomBytes(3).toString("hex")}@example.com`;
}

export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

async function toAccount(token: string, password: string | undefined): Promise<Account> {
  const client = visitor.withToken(token);
  const { json } = assertStatus(await client.get("/v1/auth/me"), 200);
  return { client, token, id: toText(json["id"]), email: toText(json["email"]), password };
}

const removals: (() => Promise<unknown>)[] = [];

/** Registers a removal for the end of the run; the newest is done first. */
export function removeAtEnd(remove: () => Promise<unknown>): void {
  removals.push(remove);
}

/** Removes everything that the run created and still exists. */
export async function removeAll(): Promise<string[]> {
  const failures: string[] = [];
  for (const remove of removals.toReversed())
    await remove().catch((error: unknown) => failures.push(String(error)));
  removals.length = 0;
  return failures;
}
