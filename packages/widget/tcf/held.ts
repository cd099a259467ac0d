import { type TCModel, TCString } from "@iabtechlabtcf/core";
import type { Memory } from "../core/memory.ts";
import { DIGEST_LENGTH, type List, toDeclared } from "./list.ts";

/** A TC string that holds, and what is in it. */
export interface Held {
  tcString: string;
  model: TCModel;
}

/** TCF's policies: who has answered is reminded of it after 13 months at the latest. */
const MONTHS_MAX = 13;

/**
 * The TC string that is remembered, where it answers what would be asked today: not where it is none, has
 * another policy version, is too old, lacks a vendor, or a vendor declares something else than it did then.
 */
export function readHeld(list: List, memory: Memory, now = new Date()): Held | undefined {
  const { $$tcString: tcString, $$tcfDeclared: declared } = memory;
  const model = tcString ? decode(tcString) : undefined;
  if (!tcString || !model || model.policyVersion !== list.tcfPolicyVersion) return undefined;
  const oldest = new Date(now);
  oldest.setMonth(oldest.getMonth() - MONTHS_MAX);
  if (!(model.lastUpdated > oldest)) return undefined;
  const then = toDeclaredBy(model, declared);
  const today = toDeclared(list);
  const isSame = list.vendors.every(({ id }, at) => {
    const before = then?.get(id);
    const own = today.slice(at * DIGEST_LENGTH, (at + 1) * DIGEST_LENGTH);
    return model.vendorsDisclosed.has(id) && (before === undefined || before === own);
  });
  return isSame ? { tcString, model } : undefined;
}

/** What each vendor declared when it was shown, where that is remembered. */
function toDeclaredBy(
  model: TCModel,
  declared: string | undefined,
): Map<number, string> | undefined {
  const ids = [...model.vendorsDisclosed.values()].toSorted((a, b) => a - b);
  if (declared?.length !== ids.length * DIGEST_LENGTH) return undefined;
  return new Map(
    ids.map((id, at) => [id, declared.slice(at * DIGEST_LENGTH, (at + 1) * DIGEST_LENGTH)]),
  );
}

function decode(tcString: string): TCModel | undefined {
  try {
    return TCString.decode(tcString);
  } catch {
    // Cut, or written by something else: as if there were none, so that it is asked for again.
    return undefined;
  }
}
