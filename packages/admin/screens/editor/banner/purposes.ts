import type { TcfVendor } from "@avow/client/operations";
import { tcfWords } from "../../../words/tcf/words.ts";

/** What a vendor asks a consent for, and what it claims an interest in, by IAB's numbers. */
export function toPurposes({ id, purposes, legIntPurposes }: TcfVendor): string {
  const said = tcfWords.value;
  const parts = [
    `${id}`,
    purposes.length > 0 && said.consent(purposes.join(", ")),
    legIntPurposes.length > 0 && said.interest(legIntPurposes.join(", ")),
  ];
  return parts.filter((part) => part !== false).join(" · ");
}
