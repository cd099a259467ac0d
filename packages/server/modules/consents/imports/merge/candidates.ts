import type { FieldFault } from "../../../../platform/errors.ts";
import { type Answered, toAnswered } from "../../states/answered.ts";
import type { OfferedConfiguration } from "../../offers/offered.ts";
import { findWarnings } from "../../records/warnings.ts";
import { type Entry, deriveId } from "../formats/entry.ts";
import type { Item } from "../formats/format.ts";

/** The part that entries with one answer to one configuration share. */
export interface Same {
  version: number | null;
  answered: Answered;
  warnings: readonly FieldFault[];
  /** The ends of their rows, once one was made, and the choice that they name. */
  rows?: { record: Buffer; state: Buffer; choice: number | null };
}

/** An entry that can be kept: what its record is made of. */
export interface Candidate {
  item: Item;
  entry: Entry;
  id: string;
  same: Same;
}

/** A line that cannot. */
export interface Refused {
  item: Item;
  entry?: undefined;
  reason: string;
}

/** Opens what makes candidates of entries. */
export function openCandidates(): (
  item: Item & { entry: Entry },
  of: OfferedConfiguration,
) => Candidate {
  const known = {
    accepted: new WeakMap<OfferedConfiguration, WeakMap<object, Same>>(),
    refused: new WeakMap<OfferedConfiguration, WeakMap<object, Same>>(),
  };
  const findSame = (entry: Entry, configuration: OfferedConfiguration): Same => {
    const byConfiguration = entry.accept ? known.accepted : known.refused;
    let byAnswer = byConfiguration.get(configuration);
    if (!byAnswer) byConfiguration.set(configuration, (byAnswer = new WeakMap()));
    let same = byAnswer.get(entry.answer);
    if (!same) byAnswer.set(entry.answer, (same = toSame(entry, configuration)));
    return same;
  };
  return (item, configuration) => {
    const { entry } = item;
    // Warnings are also of how far the client's clock was off.
    const same = entry.clientAt ? toSame(entry, configuration) : findSame(entry, configuration);
    return { item, entry, id: entry.ownId ?? deriveId(entry), same };
  };
}

function toSame(entry: Entry, configuration: OfferedConfiguration): Same {
  return {
    version: configuration.version,
    answered: toAnswered(configuration, entry),
    warnings: findWarnings({ ...entry, token: undefined }, configuration, { now: entry.createdAt }),
  };
}
