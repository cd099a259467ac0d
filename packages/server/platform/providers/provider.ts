/** What somebody is called elsewhere, as a provider that people sign in with tells it. */
export interface Profile {
  /** `issuer|subject`: never another person's, whatever else changes, and wherever the provider's name leads to. */
  subject: string;
  email: string | undefined;
  /** Whether the provider says that mails there reach them; without its word, they need not. */
  isEmailVerified: boolean;
  name: string | undefined;
}

/** What a sign-in that was begun has to be finished with; secret. */
export interface Begun {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * Somebody whom people sign in with: authorization code with PKCE (RFC 7636), state and nonce. The
 * settings name them; one whose `kind` is oidc is found by its issuer alone.
 */
export interface Provider {
  readonly name: string;
  readonly title: string;
  /** Whether the browser comes back with a POST from the provider's site. */
  readonly answersByPost: boolean;
  /** Where the browser goes. @throws ProviderError */
  begin(redirectUri: string): Promise<{ url: string; begun: Begun }>;
  /**
   * Who came back to `url`, the redirect address with what the provider added.
   * @throws ProviderError
   */
  finish(url: URL, begun: Begun): Promise<Profile>;
}

/** `refused`: by the person or the provider; `wrong`: what came back does not hold; `away`: no answer. */
export type ProviderFault = "refused" | "wrong" | "away";

/** A sign-in that did not come to its end, in words that a log may hold: codes of the protocol, no more. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
