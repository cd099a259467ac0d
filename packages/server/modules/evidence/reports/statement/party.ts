import type { Officer } from "@avow/contract/configuration";
import { readText } from "@avow/contract/json";

/** The published contact data of a controller. */
export interface Party {
  name: string | undefined;
  officer: string | undefined;
  email: string | undefined;
  address: string | undefined;
}

/** Takes each field from the first officer that has it. */
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
