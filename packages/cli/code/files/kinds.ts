import { type FileKind, fileSchemas } from "@avow/contract/files";
import type { JsonObject } from "@avow/contract/json";
import type { Operation } from "@avow/client/operations";
import {
  createContract,
  createContractText,
  createCookieConfiguration,
  createDataProtectionOfficer,
  createProcessing,
  createProject,
  createTcfSetting,
  createVaultVendor,
  deleteContract,
  deleteContractText,
  deleteCookieConfiguration,
  deleteDataProtectionOfficer,
  deleteProcessing,
  deleteTcfSetting,
  deleteVaultVendor,
  getContract,
  getContractText,
  getCookieConfiguration,
  getDataProtectionOfficer,
  getProcessing,
  getProject,
  getTcfSetting,
  getVaultVendor,
  replaceContract,
  replaceContractText,
  replaceCookieConfiguration,
  replaceDataProtectionOfficer,
  replaceProcessing,
  replaceProject,
  replaceTcfSetting,
  replaceVaultVendor,
} from "@avow/client/operations";
import type { TObject } from "typebox";

export type { FileKind };

/** A document as the service returns it: its own fields and the service's. */
export type WireDocument = JsonObject & { id: string; version: number };

type ById = { path: { documentId: string } };

/** One kind of documents: its place in a tree, and its operations. */
export interface Kind {
  kind: FileKind;
  noun: string;
  /** The folder of its files; undefined for the kinds of which a project has one, which have a file each. */
  folder: string | undefined;
  /** The name of the only file, without its ending. */
  file: string;
  /** The resource of the vault. */
  resource: string;
  /** The field that identifies a document in its project. */
  identity: "name" | "title" | undefined;
  /** Whether documents of one name may be translations, so that the language is part of the identity. */
  isTranslated: boolean;
  schema: TObject;
  create: Operation<{ body: JsonObject }, WireDocument>;
  get: Operation<ById, WireDocument>;
  replace: Operation<ById & { body: JsonObject }, WireDocument>;
  /** Undefined for projects, which are never deleted: their consents would be lost with them. */
  remove: Operation<ById, null> | undefined;
}

const operationsOf = (create: unknown, get: unknown, replace: unknown, remove?: unknown) =>
  ({ create, get, replace, remove }) as unknown as Pick<
    Kind,
    "create" | "get" | "replace" | "remove"
  >;

const named = { identity: "name", isTranslated: false } as const;
const form = { identity: "name", isTranslated: true } as const;
const single = { folder: undefined, identity: undefined, isTranslated: false } as const;

/** The kinds in the order in which they are created: vendors before the banners that name them. */
export const kinds: readonly Kind[] = [
  {
    kind: "project",
    noun: "project",
    folder: undefined,
    file: "project",
    resource: "projects",
    identity: "title",
    isTranslated: false,
    schema: fileSchemas.project,
    ...operationsOf(createProject, getProject, replaceProject),
  },
  {
    ...named,
    kind: "vendor",
    noun: "vendor",
    folder: "vendors",
    file: "vendor",
    resource: "vendors",
    schema: fileSchemas.vendor,
    ...operationsOf(createVaultVendor, getVaultVendor, replaceVaultVendor, deleteVaultVendor),
  },
  {
    ...named,
    kind: "banner",
    noun: "banner",
    folder: "banners",
    file: "banner",
    resource: "cookies",
    schema: fileSchemas.banner,
    ...operationsOf(
      createCookieConfiguration,
      getCookieConfiguration,
      replaceCookieConfiguration,
      deleteCookieConfiguration,
    ),
  },
  {
    ...form,
    kind: "consent-form",
    noun: "consent form",
    folder: "consent-forms",
    file: "consent-form",
    resource: "processings",
    schema: fileSchemas["consent-form"],
    ...operationsOf(createProcessing, getProcessing, replaceProcessing, deleteProcessing),
  },
  {
    ...form,
    kind: "contract-form",
    noun: "contract form",
    folder: "contract-forms",
    file: "contract-form",
    resource: "contracts",
    schema: fileSchemas["contract-form"],
    ...operationsOf(createContract, getContract, replaceContract, deleteContract),
  },
  {
    ...form,
    kind: "contract-text",
    noun: "contract text",
    folder: "contract-texts",
    file: "contract-text",
    resource: "content",
    schema: fileSchemas["contract-text"],
    ...operationsOf(createContractText, getContractText, replaceContractText, deleteContractText),
  },
  {
    ...single,
    kind: "officer",
    noun: "data protection officer",
    file: "officer",
    resource: "dpo",
    schema: fileSchemas.officer,
    ...operationsOf(
      createDataProtectionOfficer,
      getDataProtectionOfficer,
      replaceDataProtectionOfficer,
      deleteDataProtectionOfficer,
    ),
  },
  {
    ...single,
    kind: "tcf",
    noun: "TCF settings",
    file: "tcf",
    resource: "tcf",
    schema: fileSchemas.tcf,
    ...operationsOf(createTcfSetting, getTcfSetting, replaceTcfSetting, deleteTcfSetting),
  },
];

/** Names come from the table above, so a missing one is a bug. */
export function getKind(kind: FileKind): Kind {
  const found = kinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind of files is named ${kind}`);
  return found;
}
