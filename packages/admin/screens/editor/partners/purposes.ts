import type { TcfVendor } from "@avow/client/operations";
import { tcfWords } from "../../../words/tcf/words.ts";

/** A vendor's purposes by consent and by legitimate interest, by IAB's numbers. */
export function toPurposes({ id, purposes, legIntPurposes }: TcfVendor): string {
  const texts = tcfWords.value;
  const parts = [
    `${id}`,
    purposes.length > 0 && texts.consent(purposes.join(", ")),
    legIntPurposes.length > 0 && texts.interest(legIntPurposes.join(", ")),
  ];
  return parts.filter((part) => part !== false).join(" · ");
}
