import type { VendorUse } from "@avow/contract/regions";
import type { Category } from "../record/result.ts";

/** A service that sites embed, kept by hand. `source` is the vendor's own documentation of its hosts or cookies. */
export interface Service {
  /** Also the slug of the proposed vendor. */
  id: string;
  title: string;
  provider: string;
  category: Category;
  /** Patterns as in a vendor's `hosts`: `*.example.com` stands for every host below, and a path is a prefix. */
  hosts: readonly string[];
  /** Beginnings of paths that the service has on any host, for what sites host themselves. */
  paths?: readonly string[];
  /** Names of the service in the open cookie database. */
  platforms?: readonly string[];
  /** Cookies and storage keys on the site's own pages that are the service's for sure; * at the end stands for any rest. */
  stored?: readonly string[];
  policyUrl?: string;
  source: string;
  /** Signals of Google Consent Mode that the service follows. */
  signals?: readonly string[];
  /** Uses of data that an opt-out ends. */
  uses?: readonly VendorUse[];
  en: string;
  fr: string;
}
