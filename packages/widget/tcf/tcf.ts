import { TCString } from "@iabtechlabtcf/core";
import { toSheet } from "../banner/dom.ts";
import { emitError } from "../page/events.ts";
import type { Context, Tcf } from "../banner/features.ts";
import { toAdditional } from "./additional.ts";
import { openApi } from "./api.ts";
import { type Draft, isAccepting, toDraft, toTcString, acceptOrRefuseAll } from "./draft.ts";
import { type StoredTcString, readTcString } from "./held.ts";
import { toDeclared, toList } from "./list.ts";
import { toChoices } from "./step.ts";
import { toSummary } from "./summary.ts";
import css from "./tcf.css";

/** The layout `iab`: IAB TCF 2.3, from the vendor list that was published with the project. */
export function openTcf({ site, choices, cookies }: Context): Tcf {
  const sheet = toSheet(css);
  const content = site.widget?.tcf;
  if (!content) {
    emitError(new Error("No vendor list was published: publish the project again."));
    return {
      sheet,
      isPending: () => false,
      refresh: () => undefined,
      answer: () => undefined,
      onShow: () => undefined,
      toMain: () => new Text(),
    };
  }
  const { language = "en" } = cookies;
  const list = toList(content, language);
  const api = openApi(list);
  let held: StoredTcString | undefined;
  const refresh = (): void => {
    held = readTcString(list, choices.memory);
    if (held) api.update(held);
  };
  refresh();
  /** The unsaved choices, while the banner is open. */
  let draft: Draft | undefined;
  /** The unsaved choices of the closed banner, until its answer follows. */
  let closing: Draft | undefined;
  return {
    sheet,
    isPending: () => !held,
    refresh,
    onShow(isShown) {
      if (isShown) {
        closing = undefined;
        draft = toDraft(list, held);
        api.show(held);
        return;
      }
      if (!draft) return;
      closing = draft;
      draft = undefined;
      queueMicrotask(() => {
        if (!closing) return;
        closing = undefined;
        api.hide(held);
      });
    },
    answer(answer) {
      if (!closing || answer === undefined) return undefined;
      const chosen = typeof answer === "boolean" ? acceptOrRefuseAll(list, answer) : closing;
      closing = undefined;
      const tcString = toTcString(list, chosen);
      const additional = toAdditional(list, chosen.providers);
      held = { tcString, model: TCString.decode(tcString), additional };
      api.update(held);
      const memory = {
        $$tcString: tcString,
        $$tcfDeclared: toDeclared(list),
        $$addtlConsent: additional,
      };
      return { accept: isAccepting(chosen), memory };
    },
    toMain(step, say, isFirst) {
      const shown = document.createDocumentFragment();
      const isIab = step.layout === "iab";
      if (isFirst) shown.append(...toSummary(list, say, isIab));
      if (isIab && draft) shown.append(...toChoices({ list, draft, say, language }));
      return shown;
    },
  };
}
