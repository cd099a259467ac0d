import { type Fields, toFields, toLine } from "./fields.ts";

/** A person or organization that answers for the data, as it was published. */
export interface Party {
  name: string | undefined;
  officer: string | undefined;
  email: string | undefined;
  address: string | undefined;
}

/** Who answers for the data: a configuration of its own comes before the project's field. */
export function toParty(content: Fields): Party {
  const sources = [toFields(content["dpo"]), toFields(toFields(content["client"])["DPO"])];
  const first = (name: string): string | undefined =>
    sources.map((source) => toLine(source[name])).find((text) => text !== undefined);
  return {
    name: first("organization"),
    officer: first("fullname") ?? first("title"),
    email: first("email"),
    address: first("address"),
  };
}
