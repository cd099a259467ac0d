import type { ConsentSnapshot } from "@avow/widget/headless";

/** Properties of the shop's page, as JSON. */
export interface ShopProps {
  project: string;
  url: string;
  snapshot?: ConsentSnapshot | undefined;
  token?: string | undefined;
  nonce?: string | undefined;
  /** Names of forms; those in `inForm` are in an HTML form. */
  forms?: readonly string[];
  inForm?: readonly string[];
  /** Whether the app draws its own banner. */
  isOwn?: boolean;
}
