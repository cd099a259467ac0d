import type { Answers } from "./answers.ts";
import type { Context } from "../banner/features.ts";
import type { Wanted } from "../core/api.ts";
import { type Box, type Site, chooseSpoken } from "../core/site.ts";
import type { Say } from "../core/words.ts";

/** Something that is asked at a place of the page. */
export interface Asked {
  context: Context;
  answers: Answers;
  place: HTMLElement;
  collection: "processings" | "contracts";
  box: Box;
  say: Say;
  /** Called when the service has an answer, or it is kept. */
  onAnswered: () => void;
}

/** What was opened at a place. */
export interface Opened {
  host: HTMLElement;
  place: HTMLElement;
  identifier: string;
  /** Whether something was answered that is not saved yet. */
  isUnsaved(): boolean;
  /** Saves it; answers whether that is done. The box tells what went wrong. */
  save(): Promise<boolean>;
  /** Shows the answer that holds by now: it may have been given at another place. */
  refresh(): void;
}

const pattern = /^\s*(processing|contract)s?\s*:\s*(\S.*?)\s*$/;

/**
 * What `data-avow` means: the configuration with that identifier; otherwise, of those with that name, the
 * one in the visitor's language.
 * @throws Error where nothing of the kind is published
 */
export function findAsked(
  { processings = [], contracts = [] }: Site,
  wanted: Wanted,
  text: string,
): Pick<Asked, "collection" | "box"> {
  const [, kind, named] = pattern.exec(text) ?? [];
  const all = kind === "contract" ? contracts : processings;
  const box =
    all.find(({ identifier }) => identifier === named) ??
    chooseSpoken(
      all.filter(({ name }) => named !== undefined && name === named),
      wanted,
    );
  if (!box) throw new Error(`Nothing is published for data-avow="${text}".`);
  return { collection: kind === "contract" ? "contracts" : "processings", box };
}
