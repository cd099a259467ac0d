/** How a provider is reached, beside what its settings say. */
export interface ProviderSettings {
  readonly name: string;
  readonly title: string;
  readonly kind: "oidc" | "github" | "facebook";
  /** Of OpenID Connect: where everything else is found. */
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: ClientSecret;
  readonly scope: string;
  readonly answersByPost: boolean;
  /** Of those without OpenID Connect. */
  readonly endpoints: Endpoints;
}

/** A text that stays, or a key that short-lived ones are signed with (Apple). */
export type ClientSecret =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "key";
      readonly teamId: string;
      readonly keyId: string;
      readonly privateKey: string;
    };

export interface Endpoints {
  readonly authorize: string;
  readonly token: string;
  readonly user: string;
  /** Where the addresses are that the provider confirmed. */
  readonly emails: string;
}

type Preset = Pick<ProviderSettings, "title" | "kind" | "issuer" | "scope" | "answersByPost">;

const oidc = { kind: "oidc", scope: "openid email profile", answersByPost: false } as const;

/** Those that a client id and a secret are enough for. */
export const presets: Readonly<Record<string, Preset>> = {
  google: { ...oidc, title: "Google", issuer: "https://accounts.google.com" },
  microsoft: { ...oidc, title: "Microsoft", issuer: "https://login.microsoftonline.com" },
  // Apple tells an address only to those who take its answer by POST.
  apple: {
    ...oidc,
    title: "Apple",
    issuer: "https://appleid.apple.com",
    scope: "openid email name",
    answersByPost: true,
  },
  github: {
    kind: "github",
    title: "GitHub",
    issuer: "https://github.com",
    scope: "read:user user:email",
    answersByPost: false,
  },
  facebook: {
    kind: "facebook",
    title: "Facebook",
    issuer: "https://www.facebook.com",
    scope: "public_profile email",
    answersByPost: false,
  },
};

/** Where a provider without OpenID Connect answers; `site` and `api` stand for its own, as GitHub Enterprise has. */
export function toEndpoints(
  kind: ProviderSettings["kind"],
  { site, api }: { site: string | undefined; api: string | undefined },
): Endpoints {
  if (kind === "facebook") {
    const graph = api ?? "https://graph.facebook.com";
    return {
      authorize: `${site ?? "https://www.facebook.com"}/dialog/oauth`,
      token: `${graph}/oauth/access_token`,
      user: `${graph}/me?fields=id,name,email`,
      emails: "",
    };
  }
  const github = site ?? "https://github.com";
  const rest = api ?? "https://api.github.com";
  return {
    authorize: `${github}/login/oauth/authorize`,
    token: `${github}/login/oauth/access_token`,
    user: `${rest}/user`,
    emails: `${rest}/user/emails`,
  };
}
