/** The complete settings of a provider. */
export interface ProviderSettings {
  readonly name: string;
  readonly title: string;
  readonly kind: "oidc" | "github" | "facebook";
  /** With OpenID Connect, the source of all other metadata. */
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: ClientSecret;
  readonly scope: string;
  readonly answersByPost: boolean;
  /** Used without OpenID Connect. */
  readonly endpoints: Endpoints;
}

/** A fixed secret, or a key that signs short-lived ones (Apple). */
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
  /** Lists the verified addresses. */
  readonly emails: string;
}

type Preset = Pick<ProviderSettings, "title" | "kind" | "issuer" | "scope" | "answersByPost">;

const oidc = { kind: "oidc", scope: "openid email profile", answersByPost: false } as const;

/** Providers that need only a client id and a secret. */
export const presets: Readonly<Record<string, Preset>> = {
  google: { ...oidc, title: "Google", issuer: "https://accounts.google.com" },
  microsoft: { ...oidc, title: "Microsoft", issuer: "https://login.microsoftonline.com" },
  // Apple returns an address only with `response_mode=form_post`.
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

const publicTenants = new Set(["common", "organizations", "consumers"]);

/** Whether only the accounts of one organization can sign in with a provider, not everybody. */
export function isOfOrganization({
  kind,
  issuer,
  endpoints,
}: Pick<ProviderSettings, "kind" | "issuer" | "endpoints">): boolean {
  if (kind === "facebook") return false;
  if (kind === "github") return !endpoints.authorize.startsWith("https://github.com/");
  const [tenant, ...rest] = issuer.split("https://login.microsoftonline.com/").toReversed();
  if (rest.length > 0) return !publicTenants.has(tenant?.split("/")[0] ?? "");
  return !Object.values(presets).some((preset) => preset.issuer === issuer);
}

/** The endpoints of a provider without OpenID Connect. `site` and `api` replace the default origins, as for GitHub Enterprise. */
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
