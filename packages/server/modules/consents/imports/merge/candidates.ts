import type { FieldFault } from "../../../../platform/errors.ts";
import { type AnswerSet, toAnswerSet } from "../../states/answered.ts";
import type { OfferedConfiguration } from "../../offers/offered.ts";
import { findWarnings } from "../../records/warnings.ts";
import { type Entry, deriveId } from "../formats/entry.ts";
import type { Item } from "../formats/format.ts";

/** The part shared by entries with the same answer to a configuration. */
export interface Same {
  version: number | null;
  answered: AnswerSet;
  warnings: readonly FieldFault[];
  /** The row parts shared by these candidates, created with the first row, and the number of their answer combination. */
  rows?: { record: Buffer; state: Buffer; choice: number | null };
}

/** A valid entry with the data of its record. */
export interface Candidate {
  item: Item;
  entry: Entry;
  id: string;
  same: Same;
}

export interface Rejected {
  item: Item;
  entry?: undefined;
  reason: string;
}

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
    // Warnings depend on the client's clock, too, so these cannot be shared.
    const same = entry.clientAt ? toSame(entry, configuration) : findSame(entry, configuration);
    return { item, entry, id: entry.ownId ?? deriveId(entry), same };
  };
}

function toSame(entry: Entry, configuration: OfferedConfiguration): Same {
  return {
    version: configuration.version,
    answered: toAnswerSet(configuration, entry),
    warnings: findWarnings({ ...entry, token: undefined }, configuration, { now: entry.createdAt }),
  };
}
