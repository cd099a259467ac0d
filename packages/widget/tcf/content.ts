/** What a published file holds for the layout `iab`: the part of IAB's vendor list that the project uses. */
export interface TcfContent {
  cmpId: number;
  cmpVersion: number;
  publisherCC: string;
  vendorListVersion: number;
  tcfPolicyVersion: number;
  /** RFC 3339. */
  lastUpdated: string;
  /** By id. */
  vendors: Record<string, Vendor>;
  /** By language; English stands for those that have none of their own. */
  texts: Record<string, Texts>;
}

/** What IAB calls a purpose, a feature or a category of data. */
export interface Term {
  id: number;
  name: string;
  description: string;
  illustrations?: string[];
}

/** Terms by id. */
export type Terms = Record<string, Term>;

export interface Texts {
  purposes: Terms;
  specialPurposes: Terms;
  features: Terms;
  specialFeatures: Terms;
  dataCategories?: Terms;
}

/** A vendor of the list: what it declares, as ids of terms. */
export interface Vendor {
  id: number;
  name: string;
  purposes: number[];
  legIntPurposes: number[];
  flexiblePurposes: number[];
  specialPurposes: number[];
  features: number[];
  specialFeatures: number[];
  dataDeclaration?: number[];
  /** In days: by purpose, and for every other. */
  dataRetention?: {
    stdRetention?: number;
    purposes?: Record<string, number>;
    specialPurposes?: Record<string, number>;
  };
  usesCookies?: boolean;
  cookieMaxAgeSeconds?: number | null;
  cookieRefresh?: boolean;
  usesNonCookieAccess?: boolean;
  urls?: { langId: string; privacy?: string; legIntClaim?: string }[];
  deviceStorageDisclosureUrl?: string;
}
