import { type TCModel, TCString } from "@iabtechlabtcf/core";
import { readAdditional } from "./additional.ts";
import type { Memory } from "../core/memory.ts";
import { DIGEST_LENGTH, type List, toDeclared } from "./list.ts";

/** A valid stored TC string and its decoded model. */
export interface StoredTcString {
  tcString: string;
  model: TCModel;
  /** The string of Google's Additional Consent. */
  additional: string | undefined;
}

/** Maximum age of an answer (TCF's policies). */
const MONTHS_MAX = 13;

/**
 * The stored TC string, if it is still valid. It is not if it has another policy version, is too old, lacks a vendor or one of
 * Google's providers, or the declarations of a vendor have changed.
 */
export function readTcString(
  list: List,
  memory: Memory,
  now = new Date(),
): StoredTcString | undefined {
  const { $$tcString: tcString, $$tcfDeclared: declared, $$addtlConsent: additional } = memory;
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
  const { disclosed } = readAdditional(additional);
  const isAsked = list.providers.every(({ id }) => disclosed.has(id));
  return isSame && isAsked ? { tcString, model, additional } : undefined;
}

/** The digest of each vendor's declarations at the time of the answer; undefined if not stored. */
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
    // Truncated, or not ours: the visitor is asked again.
    return undefined;
  }
}
