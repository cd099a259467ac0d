import type { Officer } from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";

/** A person or organization that answers for the data, as it was published. */
export interface Party {
  name: string | undefined;
  officer: string | undefined;
  email: string | undefined;
  address: string | undefined;
}

/** The controller: each field from the first officer that has it; a configuration's comes before the project's. */
export function toParty(officers: readonly (Officer | undefined)[]): Party {
  const first = (name: keyof Officer): string | undefined =>
    officers.map((officer) => readText(officer?.[name])).find((text) => text !== undefined);
  return {
    name: first("organization"),
    officer: first("fullname") ?? first("title"),
    email: first("email"),
    address: first("address"),
  };
}
