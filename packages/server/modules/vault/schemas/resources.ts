import type { TObject } from "typebox";
import {
  ContractText,
  Contract,
  Cookies,
  DataProtectionOfficer,
  Media,
  Organization,
  Processing,
  Project,
  TcfSettings,
  VaultVendor,
} from "@avow/contract/configuration";

/** One resource of the vault. */
export interface Resource {
  /** Its name in paths and in the database. */
  name: string;
  path: string;
  noun: string;
  /** The singular in names of operations and schemas. */
  type: string;
  schema: TObject;
  /** Fields with the id of the parent, whose rights it inherits; the first field takes precedence. */
  parents: readonly ("projectId" | "organizationId")[];
  /** Whether one of `parents` is required. */
  parentRequired: boolean;
  /** Fields with HTML, as patterns of JSON pointers (`*` for every element). */
  html: readonly string[];
  /** Read-only fields: reserved in bodies like the service's own. */
  readOnly: readonly string[];
  event: "project" | "configuration";
}

const configuration = {
  parents: ["projectId"],
  parentRequired: true,
  html: [],
  readOnly: [],
  event: "configuration",
} as const;
const shared = {
  ...configuration,
  parents: ["projectId", "organizationId"],
  parentRequired: false,
} as const;

/** The table of resources (wire section 2). */
export const resources: readonly Resource[] = [
  {
    ...configuration,
    name: "projects",
    path: "/v1/vault/projects",
    noun: "project",
    type: "Project",
    schema: Project,
    parents: ["organizationId"],
    parentRequired: false,
    readOnly: ["active", "billing", "metadata", "name"],
    event: "project",
  },
  {
    ...configuration,
    name: "cookies",
    path: "/v1/vault/cookies",
    noun: "cookie configuration",
    type: "CookieConfiguration",
    schema: Cookies,
    html: ["/message", "/steps/*/message", "/regions/*/message"],
  },
  {
    ...configuration,
    name: "processings",
    path: "/v1/vault/processings",
    noun: "processing",
    type: "Processing",
    schema: Processing,
    html: ["/message", "/confirmations/*/message"],
  },
  {
    ...configuration,
    name: "contracts",
    path: "/v1/vault/contracts",
    noun: "contract",
    type: "Contract",
    schema: Contract,
    html: ["/message"],
  },
  {
    ...configuration,
    name: "organizations",
    path: "/v1/vault/organizations",
    noun: "organization",
    type: "Organization",
    schema: Organization,
    parents: [],
    parentRequired: false,
    readOnly: ["billing", "plan"],
  },
  {
    ...shared,
    name: "vendors",
    path: "/v1/vault/vendors",
    noun: "vendor",
    type: "VaultVendor",
    schema: VaultVendor,
  },
  {
    ...shared,
    name: "media",
    path: "/v1/vault/media",
    noun: "media item",
    type: "MediaItem",
    schema: Media,
  },
  {
    ...configuration,
    name: "dpo",
    path: "/v1/vault/dpo",
    noun: "data protection officer",
    type: "DataProtectionOfficer",
    schema: DataProtectionOfficer,
  },
  {
    ...configuration,
    name: "tcf",
    path: "/v1/vault/tcf",
    noun: "TCF setting",
    type: "TcfSetting",
    schema: TcfSettings,
  },
  {
    ...configuration,
    name: "content",
    path: "/v1/content/contracts",
    noun: "contract text",
    type: "ContractText",
    schema: ContractText,
    html: ["/content"],
  },
];

/** The resources that a published file contains, and that a site has from its template. Vendors and media are an organization's. */
export const configurationResources = [
  "cookies",
  "processings",
  "contracts",
  "content",
  "dpo",
  "tcf",
] as const;

/** Resources of which a project publishes only the newest document. */
export const singleResources: ReadonlySet<string> = new Set(["dpo", "tcf"]);

/** The resource of a name. Names come from this table, so a missing one is a bug. */
export function resourceOf(name: string): Resource {
  const resource = resources.find((r) => r.name === name);
  if (!resource) throw new Error(`no vault resource is named ${name}`);
  return resource;
}

export function htmlFieldsOf(name: string): readonly string[] {
  return resourceOf(name).html;
}

/** Whether documents of the resource can be duplicated: all but organizations, whose plan and invoices are their own. */
export function isDuplicable(name: string): boolean {
  return name !== "organizations";
}
