// Configuration files: the documents of a project as files, for `avow pull`, `avow plan` and `avow apply`.
import { type Static, type TObject, type TProperties, Type } from "typebox";
import {
  Contract,
  ContractText,
  Cookies,
  DataProtectionOfficer,
  Processing,
  Project,
  TcfSettings,
  VaultVendor,
} from "../configuration.ts";
import type { JsonObject } from "../json.ts";

const open = { additionalProperties: true } as const;
const Unchecked = Type.Optional(Type.Unknown());
const Name = Type.String({ minLength: 1, maxLength: 1_000 });
const RenamedFrom = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: "The name before, so that the document is renamed instead of created.",
  }),
);

/** A document's schema without the fields of parents, which the folder and the command's options stand for. */
function toFileSchema<P extends TProperties, F extends TProperties>(
  { properties }: TObject<P>,
  fields: F,
) {
  const { projectId: _, organizationId: __, templateId: ___, ...own } = properties;
  return Type.Object({ ...own, ...fields }, open);
}

/** The schemas of files, by kind. Fields that only the widget reads are known here, and not checked. */
export const fileSchemas = {
  project: toFileSchema(Project, { privacypolicy: Unchecked, renamedFrom: RenamedFrom }),
  vendor: toFileSchema(VaultVendor, { renamedFrom: RenamedFrom }),
  banner: toFileSchema(Cookies, {
    name: Name,
    settings: Type.Optional(
      Type.Object(
        {
          ...Cookies.properties.settings.properties,
          launcher: Unchecked,
          pages: Unchecked,
          placeholders: Unchecked,
          reloadAfterWithdrawal: Unchecked,
        },
        open,
      ),
    ),
    renamedFrom: RenamedFrom,
  }),
  "consent-form": toFileSchema(Processing, {
    name: Name,
    strings: Unchecked,
    renamedFrom: RenamedFrom,
  }),
  "contract-form": toFileSchema(Contract, {
    name: Name,
    accept: Unchecked,
    picture: Unchecked,
    strings: Unchecked,
    renamedFrom: RenamedFrom,
  }),
  "contract-text": toFileSchema(ContractText, {
    name: Name,
    title: Unchecked,
    language: Contract.properties.language,
    renamedFrom: RenamedFrom,
  }),
  officer: toFileSchema(DataProtectionOfficer, {}),
  tcf: toFileSchema(TcfSettings, {}),
};
export type FileKind = keyof typeof fileSchemas;

/** Objects may have fields of your own, under `own`. */
type WithOwn<T> = T extends readonly (infer E)[]
  ? WithOwn<E>[]
  : T extends object
    ? { [K in keyof T]: WithOwn<T[K]> } & { own?: JsonObject }
    : T;
type FileOf<K extends FileKind> = WithOwn<Static<(typeof fileSchemas)[K]>>;

/** `project.ts`: title, website, design and officer of a project. */
export type ProjectFile = FileOf<"project">;
/** `vendors/*.ts`: a vendor, which banners refer to by its name. */
export type VendorFile = FileOf<"vendor">;
/** `banners/*.ts`: a cookie banner. A text in `vendors` of a step is the name of a vendor. */
export type BannerFile = FileOf<"banner">;
/** `consent-forms/*.ts` */
export type ConsentFormFile = FileOf<"consent-form">;
/** `contract-forms/*.ts` */
export type ContractFormFile = FileOf<"contract-form">;
/** `contract-texts/*.ts` */
export type ContractTextFile = FileOf<"contract-text">;
/** `officer.ts`: the data protection officer. */
export type OfficerFile = FileOf<"officer">;
/** `tcf.ts`: settings of IAB TCF. */
export type TcfFile = FileOf<"tcf">;
