import type { MoreAnswered } from "../core/answers.ts";
import type { Memory } from "../core/memory.ts";
import type { Cookies, Site } from "../core/site.ts";
import type { TcfChoices } from "./api.ts";
import { toAdditional } from "../tcf/additional.ts";
import { acceptOrRefuseAll, isAccepting, toDraft, toTcString } from "../tcf/draft.ts";
import { type StoredTcString, readTcString } from "../tcf/held.ts";
import { toDeclared, toList } from "../tcf/list.ts";

/** IAB's TCF without an interface. */
export interface HeadlessTcf {
  isPending(): boolean;
  /** The stored TC string, decoded. */
  find(): StoredTcString | undefined;
  toChoices(): TcfChoices;
  /** The parts of the record and of the cookie that an answer adds. */
  toAnswer(given: boolean | TcfChoices): MoreAnswered;
}

/** Undefined if no vendor list was published. */
export function openHeadlessTcf(
  site: Site,
  cookies: Cookies,
  answers: { readonly memory: Memory },
): HeadlessTcf | undefined {
  const content = site.widget?.tcf;
  if (!content) return undefined;
  const list = toList(content, cookies.language ?? "en");
  const find = (): StoredTcString | undefined => readTcString(list, answers.memory);
  return {
    isPending: () => !find(),
    find,
    toChoices: () => ({ list, draft: toDraft(list, find()) }),
    toAnswer(given) {
      const draft = typeof given === "boolean" ? acceptOrRefuseAll(list, given) : given.draft;
      const tcString = toTcString(list, draft);
      return {
        accept: isAccepting(draft),
        memory: {
          $$tcString: tcString,
          $$tcfDeclared: toDeclared(list),
          $$addtlConsent: toAdditional(list, draft.providers),
        },
      };
    },
  };
}
