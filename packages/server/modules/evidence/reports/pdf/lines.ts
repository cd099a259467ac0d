import LineBreaker from "linebreak";
import type { Face, Fonts, OpenFont } from "./fonts.ts";
import { RUN_LENGTH_MAX, type TextRun, toLevels, toRuns } from "./runs.ts";

export interface Style {
  face: Face;
  /** In points. */
  size: number;
}

/** A line with its runs from left to right; `x` and `width` are in points. */
export interface Line {
  runs: { text: string; font: OpenFont; x: number }[];
  width: number;
  /** Whether its paragraph is right to left, and so is aligned to the right. */
  isRightToLeft: boolean;
}

/**
 * Breaks a text into lines of at most `width` points: at line feeds, where UAX #14 allows a break, and inside words
 * that are longer than a line. Orders the runs of a line by UAX #9.
 */
export function toLines(
  fonts: Fonts,
  text: string,
  { face, size, width }: Style & { width: number },
): Line[] {
  const paragraphs = text.normalize("NFC").split(/\r\n?|[\n\u2028\u2029\u0085]/);
  return paragraphs.flatMap((paragraph) => {
    const found = toLevels(paragraph);
    const toPart = (part: string, start: number): TextRun[] =>
      toRuns(part, { fonts, face, levels: found?.levels, start });
    const max = (width * 1000) / size;
    const lines = fill(paragraph, max, toPart);
    return lines.map((runs) => toLine(runs, size, (found?.base ?? 0) % 2 === 1));
  });
}

type ToPart = (part: string, start: number) => TextRun[];

/** Fills each line with as many parts as fit. */
function fill(paragraph: string, max: number, toPart: ToPart): TextRun[][] {
  const lines: TextRun[][] = [[]];
  let used = 0;
  const add = (runs: readonly TextRun[]): void => {
    const taken = widthOf(runs);
    // White space at the end of a line may exceed the width.
    if (used > 0 && used + widthOf(withoutEnd(runs)) > max) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(...runs);
    used += taken;
  };
  for (const { part, start } of toParts(paragraph)) {
    const runs = toPart(part, start);
    if (widthOf(withoutEnd(runs)) <= max) add(runs);
    else
      for (const piece of toPieces(part, start)) {
        add(toPart(piece.part, piece.start));
      }
  }
  return lines.map(withoutEnd);
}

function* toParts(text: string): Generator<{ part: string; start: number }> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield { part: text.slice(start, next.position), start };
    start = next.position;
  }
}

/** A word that is longer than a line, character by character. */
function* toPieces(text: string, from: number): Generator<{ part: string; start: number }> {
  let start = from;
  for (const character of text) {
    yield { part: character, start };
    start += character.length;
  }
}

function widthOf(runs: readonly TextRun[]): number {
  return runs.reduce((sum, { width }) => sum + width, 0);
}

/** Removes trailing spaces. */
function withoutEnd(runs: readonly TextRun[]): TextRun[] {
  const kept = [...runs];
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    const text = last.text.trimEnd();
    if (text === last.text) break;
    kept.pop();
    if (text !== "") kept.push({ ...last, text, width: last.font.widthOf(text) ?? last.width });
  }
  return kept;
}

function toLine(runs: readonly TextRun[], size: number, isRightToLeft: boolean): Line {
  let x = 0;
  const placed = toVisual(merge(runs)).map(({ text, font, width }) => {
    const at = x;
    x += (width * size) / 1000;
    return { text, font, x: at };
  });
  return { runs: placed, width: x, isRightToLeft };
}

/** Joins adjacent left-to-right runs of one font, so that text copied from the page is continuous. */
function merge(runs: readonly TextRun[]): TextRun[] {
  const groups: TextRun[][] = [];
  let length = 0;
  for (const run of runs) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isOne = first?.font === run.font && first.level % 2 === 0 && first.level === run.level;
    const continues = group && isOne && length < RUN_LENGTH_MAX;
    length = (continues ? length : 0) + run.text.length;
    if (continues) group.push(run);
    else groups.push([run]);
  }
  return groups.flatMap((group) => toOne(group));
}

function toOne(group: TextRun[]): TextRun[] {
  const [first] = group;
  if (!first || group.length === 1) return group;
  const text = group.map((run) => run.text).join("");
  // Runs that were split because fontkit cannot lay them out as a whole stay split.
  const isWhole = group.every((run) => run.text.endsWith(" ") || run === group.at(-1));
  if (!isWhole && first.font.widthOf(text) === undefined) return group;
  return [{ ...first, text, width: widthOf(group) }];
}

/** Orders runs from left to right: from the highest level down, reverses the runs at or above it (UAX #9, L2). */
function toVisual(runs: readonly TextRun[]): TextRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      if (to === from) continue;
      ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = to;
    }
  return ordered;
}
