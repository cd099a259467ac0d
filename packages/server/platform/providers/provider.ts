/** The profile of a user at a provider. */
export interface Profile {
  /** `issuer|subject`: unique to one person, independent of the provider's configured name. */
  subject: string;
  email: string | undefined;
  /** Whether the provider has verified the address. */
  isEmailVerified: boolean;
  name: string | undefined;
}

/** The secret state of a sign-in between `begin` and `finish`. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * An identity provider, used with the authorization code flow, PKCE (RFC 7636), state and nonce.
 */
export interface Provider {
  readonly name: string;
  readonly title: string;
  /** Whether only the accounts of one organization can sign in, not everybody. */
  readonly isOfOrganization: boolean;
  /** Whether the provider redirects back with a POST. */
  readonly answersByPost: boolean;
  /** Returns the authorization URL. @throws ProviderError */
  begin(redirectUri: string): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * Exchanges the code in `url`, the redirect address with the provider's parameters, for the profile.
   * @throws ProviderError
   */
  finish(url: URL, pending: PendingSignIn): Promise<Profile>;
}

/** `refused`: by the user or the provider; `invalid`: an invalid response; `unavailable`: no response. */
export type ProviderErrorKind = "refused" | "invalid" | "unavailable";

/** A failed sign-in. The message has only codes of the protocol, so it can be logged. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;

  constructor(kind: ProviderErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
