import type { FormAnswers } from "../core/form-answers.ts";
import type { Context } from "../banner/features.ts";
import type { Selector } from "../core/selector.ts";
import { type Box, type Site, chooseSpoken } from "../core/site.ts";
import { toSurroundings } from "../page/surroundings.ts";
import type { Say } from "../core/words.ts";
import type { SavedPart } from "./submissions.ts";

/** A box and its dependencies. */
export interface BoxContext {
  context: Context;
  answers: FormAnswers;
  place: HTMLElement;
  collection: "processings" | "contracts";
  box: Box;
  say: Say;
  /** Called when an answer is saved or kept. */
  onAnswered: () => void;
}

/** A box that is open in an element of the page. */
export interface OpenBox extends SavedPart {
  host: HTMLElement;
  place: HTMLElement;
  identifier: string;
  /** Shows the current answer, which may be from another box of the page. */
  refresh(): void;
}

const pattern = /^\s*(processing|contract)s?\s*:\s*(\S.*?)\s*$/;

/**
 * Finds the configuration of a `data-avow` attribute: by identifier, otherwise by name and the visitor's language.
 * @throws Error when none is published
 */
export function findBox(
  { processings = [], contracts = [] }: Site,
  wanted: Selector,
  text: string,
): Pick<BoxContext, "collection" | "box"> {
  const [, kind, named] = pattern.exec(text) ?? [];
  const all = kind === "contract" ? contracts : processings;
  const box =
    all.find(({ identifier }) => identifier === named) ??
    chooseSpoken(
      all.filter(({ name }) => named !== undefined && name === named),
      toSurroundings(wanted),
    );
  if (!box) throw new Error(`Nothing is published for data-avow="${text}".`);
  return { collection: kind === "contract" ? "contracts" : "processings", box };
}
