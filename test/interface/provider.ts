import assert from "node:assert/strict";
import { OAuth2Server } from "oauth2-mock-server";
import { type TestAnswer, service, runLog } from "../harness.ts";

/** The claims of the person who signs in next. */
interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

export interface TestProvider extends AsyncDisposable {
  issuer: string;
  /** Sets the person who signs in from now on. */
  become(person: Person): void;
  /** Changes the signed claims, for tokens that must be rejected. */
  forge(change: (payload: Record<string, unknown>) => void): void;
  /** Limits ID tokens to the subject, and returns the rest by UserInfo (OpenID Connect Core 5.4). */
  limitClaims(isThin: boolean): void;
  refuseTokens(status: number | undefined): void;
  /** Parameters of code exchanges, oldest first. */
  exchanged: Record<string, string>[];
}

interface Answer {
  statusCode: number;
  body: unknown;
}

interface OidcRequest {
  body?: Record<string, string>;
}

/** Starts a real OpenID provider on this machine that requires no password. */
export async function openTestProvider(): Promise<TestProvider> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "127.0.0.1");
  const { issuer } = server;
  if (issuer.url === undefined) throw new Error("the provider has no address");
  let person: Person = { sub: "nobody" };
  let forging: (payload: Record<string, unknown>) => void = () => undefined;
  let isThin = false;
  let refusal: number | undefined;
  const exchanged: Record<string, string>[] = [];
  server.service.on("beforeTokenSigning", (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, isThin ? { sub: person.sub } : person);
    forging(token.payload);
  });
  server.service.on("beforeResponse", (answer: Answer, req: OidcRequest) => {
    exchanged.push(req.body ?? {});
    if (refusal === undefined) return;
    answer.statusCode = refusal;
    answer.body = { error: "invalid_grant" };
  });
  server.service.on("beforeUserinfo", (answer: Answer) => {
    answer.body = isThin ? person : { sub: person.sub };
  });
  return {
    issuer: issuer.url,
    become: (next) => {
      person = next;
      forging = () => undefined;
    },
    forge: (change) => {
      forging = change;
    },
    exchanged,
    limitClaims: (thin) => {
      isThin = thin;
    },
    refuseTokens: (status) => {
      refusal = status;
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** A browser that signs in: it follows redirects, and keeps cookies. */
export class Browser {
  readonly #url: string;
  #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  async open(
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<TestAnswer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await service.fetch(path.startsWith("http") ? path : this.#url + path, {
      headers: { ...headers, ...(cookie === "" ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Sends a request as a page of the service does. */
  post(path: string, json: object): Promise<TestAnswer> {
    const origin = new URL(this.#url).origin;
    return this.open(path, { origin, "content-type": "application/json" }, JSON.stringify(json));
  }

  /** Signs in at the provider; returns the redirect of the service's callback. */
  async signIn(
    provider: string,
    {
      redirectURI = "https://admin.example/in",
      token,
    }: { redirectURI?: string; token?: string } = {},
  ): Promise<TestAnswer> {
    const query = new URLSearchParams({ redirectURI });
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const begun = await this.open(`/v1/auth/${provider}?${query.toString()}`, headers);
    assert.equal(begun.status, 302, JSON.stringify(begun.body));
    const back = await this.open(begun.headers.get("location") ?? "");
    assert.equal(back.status, 302, JSON.stringify(back.body));
    return this.open(back.headers.get("location") ?? "");
  }
}

/** The one-time code in a callback's redirect. */
export function codeOf(answer: TestAnswer): string {
  assert.equal(answer.status, 302, JSON.stringify(answer.body));
  const location = new URL(answer.headers.get("location") ?? "");
  const code = location.searchParams.get("code") ?? "";
  runLog.remember("a one-time code", code);
  return code;
}
