import { type ConsentForm, type FormAnswer, toDay } from "@avow/widget/headless";
import { type VNode, type VNodeArrayChildren, h } from "vue";
import { toStyle } from "../look/appearance.ts";
import type { useConsent } from "../consent/use-consent.ts";

interface FrameOptions {
  form: ConsentForm;
  id: string;
  /** The heading instead of the published title. */
  title?: string | undefined;
  state: ReturnType<typeof useConsent>["state"];
  isBusy: boolean;
  hasFailed: boolean;
}

/** The frame of a form: its titles, a screen, and the error of an answer that could not be saved. */
export function toFrame(options: FrameOptions, screen: VNodeArrayChildren): VNode {
  const { form, id, state, isBusy, hasFailed } = options;
  const { subTitle } = form.configuration;
  const title = options.title ?? form.title;
  return h(
    "div",
    {
      ref: "frame",
      class: "avow avow-form",
      role: "group",
      "aria-labelledby": `${id}-title`,
      "aria-busy": isBusy,
      lang: form.language,
      dir: form.direction,
      style: toStyle(state.value.appearance),
    },
    [
      h("p", { id: `${id}-title`, class: "avow-title" }, title || subTitle),
      title && subTitle ? h("p", { class: "avow-soft" }, subTitle) : null,
      ...screen,
      h("p", { role: "alert", class: "avow-alert" }, hasFailed ? form.say("unsaved") : ""),
    ],
  );
}

/** The visitor's answer and its date. */
export function toAnswer({ say, language }: ConsentForm, answer: FormAnswer): VNode {
  const { accept, isWithdrawn, date } = answer;
  const name = accept ? "accepted" : isWithdrawn ? "withdrawn" : "refused";
  return h("p", { class: `avow-state avow-${name}`, tabindex: -1 }, [
    h("strong", say(name)),
    " ",
    h("time", { datetime: date, class: "avow-soft" }, toDay(date, language)),
  ]);
}

export function toButton(text: string, onClick: () => unknown, look = ""): VNode {
  return h("button", { type: "button", class: ["avow-button", look], onClick }, text);
}
