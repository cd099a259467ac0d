import { readText } from "@avow/contract/json";
import type { AnyConfiguration } from "@avow/contract/published";
import { type Node, notStated } from "./nodes.ts";
import type { ItemAnswer } from "../statement/answers.ts";
import type { Statement } from "../statement/statement.ts";

/** The controller, with every field of a party that ISO/IEC TS 27560 requires. */
export function toController({ controller, projectName }: Statement, id: string): Node {
  const { name, officer, email, address } = controller;
  return {
    "@id": id,
    "@type": ["dpv:DataController", "dpv:LegalEntity"],
    "dpv:hasName": name ?? notStated(),
    "dpv:hasAddress": address ?? notStated(),
    "dpv:hasContact": email ?? notStated(),
    "dpv:hasDataProtectionOfficer":
      officer === undefined
        ? notStated("dpv:DataProtectionOfficer")
        : { "@type": "dpv:DataProtectionOfficer", "dpv:hasName": officer },
    ...(projectName === undefined ? {} : { "dct:title": projectName }),
  };
}

/** The recipients of the data: the offered vendor, or the processors of a configuration. */
export function toRecipients(
  { name, vendor }: ItemAnswer,
  configuration: AnyConfiguration,
): Node | Node[] {
  if (vendor)
    return {
      "@type": ["dpv:Recipient", "dpv:ThirdParty"],
      "dpv:hasName": name,
      "dpv:hasAddress": notStated(),
      "dpv:hasContact": readText(vendor.policyUrl) ?? readText(vendor.domain) ?? notStated(),
    };
  const { processors = [] } = configuration;
  if (processors.length === 0) return notStated("dpv:Recipient");
  return processors.map((processor) => ({
    "@type": ["dpv:Recipient", "dpv:DataProcessor"],
    "dpv:hasName": readText(processor.name) ?? notStated(),
    "dpv:hasAddress": notStated(),
    "dpv:hasContact": readText(processor.website) ?? notStated(),
    ...(readText(processor.role) === undefined ? {} : { "dct:description": processor.role }),
  }));
}
