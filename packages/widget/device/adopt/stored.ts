import type { AnswerImport } from "@avow/contract/configuration";
import { type ToolAnswer, toolFormats } from "./formats.ts";

export type { ToolAnswer } from "./formats.ts";

/** Limit of a stored answer; browsers limit a cookie to 4 kB. */
const LENGTH_MAX = 16_384;

/** Reads the visitor's answer to another consent tool; undefined if there is none, or none that can be read. */
export function readToolAnswer({
  from,
  cookieName,
}: Pick<AnswerImport, "from" | "cookieName">): ToolAnswer | undefined {
  const format = toolFormats[from];
  const names = cookieName === undefined ? format.names : [cookieName];
  for (const text of names.flatMap(listStored))
    try {
      const answer = format.parse(text, (name) => listStored(name)[0]);
      if (answer?.given.size) return answer;
    } catch {
      // Truncated, or not the tool's.
    }
  return undefined;
}

/** The cookies of a name, of which parent domains may have others, and its key of local storage. */
function listStored(name: string): string[] {
  try {
    const cookies = document.cookie.split("; ").filter((one) => one.startsWith(`${name}=`));
    const texts = cookies.map((one) => one.slice(name.length + 1));
    const text = localStorage.getItem(name);
    return [...texts, ...(text === null ? [] : [text])].filter(
      ({ length }) => length <= LENGTH_MAX,
    );
  } catch {
    // Storage is blocked.
    return [];
  }
}
