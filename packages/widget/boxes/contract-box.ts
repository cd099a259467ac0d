import { shownTitleOf } from "@avow/contract/published";
import type { BoxContext, OpenBox } from "./box.ts";
import { openFrame, toHead } from "./frame.ts";
import { type BoxAnswer, toChoices } from "../texts/form-choices.ts";
import { whenReached, whenSeen } from "./visibility.ts";
import { openSender } from "./sender.ts";
import { toButton, toButtons, toState } from "./state.ts";
import { element } from "../banner/dom.ts";
import { toLink, toNodes } from "../banner/html.ts";

/** Fits into any line of a form, and is a target of 24 px (WCAG 2.2, 2.5.8). */
const TICK_SIZE = "24px";

/**
 * A contract box: the document, and a checkbox outside of the shadow root, so that the surrounding form submits it. It is
 * never checked by default: each submission needs a new tick, and an earlier answer is shown beside it. In a form it is
 * saved on submission; otherwise when it is checked.
 */
export function openContractBox(boxContext: BoxContext): OpenBox {
  const { answers, box, place, say } = boxContext;
  const frame = openFrame(boxContext);
  const sender = openSender(boxContext, frame);
  const form = place.closest("form");
  const { grant, input, label } = toTick(boxContext);
  /** The saved answer of this page's checkbox; undefined before. */
  let saved: boolean | undefined;
  let isTouched = false;
  const toUnsaved = (): BoxAnswer | undefined => {
    if (input.checked) return saved ? undefined : grant;
    // An unchecked box is no answer, but unchecking a saved one is a withdrawal.
    return saved && isTouched ? { accept: false } : undefined;
  };
  const give = async (given: BoxAnswer): Promise<boolean> => {
    const isSaved = await sender.send(given);
    if (isSaved) {
      saved = given.accept;
      isTouched = false;
    }
    return isSaved;
  };
  const withdraw = async (): Promise<void> => {
    if (sender.isSending() || !(await give({ accept: false }))) return;
    input.checked = false;
    frame.focus();
    sender.noteDisplay();
  };
  const refresh = (): void => {
    const held = answers.find(box);
    if (held?.accept !== saved) saved = undefined;
    const isDone = !form && held?.accept === true;
    if (isDone) label.remove();
    // Appending the checkbox again would remove its focus.
    else if (!label.isConnected) frame.host.append(label);
    frame.show(
      toHead(shownTitleOf(box), box.subTitle),
      element("div", { class: "message" }, toNodes(box.message)),
      toDocument(boxContext),
      element("slot", {}),
      held && toState(boxContext, held),
      held?.accept && toButtons(toButton(say("withdraw"), () => void withdraw(), "plain")),
    );
  };
  input.addEventListener("click", (event) => {
    if (sender.isSending()) event.preventDefault();
  });
  setRequiredMessage(input, form, say("required"));
  input.addEventListener("change", () => {
    isTouched = true;
    frame.setError("");
    if (!form && input.checked) void saveAlone();
  });
  const saveAlone = async (): Promise<void> => {
    const isSaved = await give(grant);
    input.checked = false;
    if (isSaved) {
      saved = undefined;
      frame.focus();
      sender.noteDisplay();
    }
  };
  form?.addEventListener("reset", () => {
    saved = undefined;
    isTouched = false;
    frame.setError("");
  });
  refresh();
  whenReached(frame.host, sender.noteDisplay);
  if (form || !answers.find(box)?.accept) whenSeen(frame.host, sender.noteDisplay);
  return {
    host: frame.host,
    place,
    identifier: box.identifier,
    isUnsaved: () => toUnsaved() !== undefined,
    async save() {
      const given = toUnsaved();
      return given ? give(given) : true;
    },
    refresh,
  };
}

function toTick({ box, say }: BoxContext): {
  grant: BoxAnswer;
  input: HTMLInputElement;
  label: HTMLElement;
} {
  const { text, ...grant } = toChoices(box, say).find(({ accept }) => accept) ?? {
    text: say("accept"),
    accept: true,
  };
  const input = element("input", {
    type: "checkbox",
    name: box.name || undefined,
    value: typeof grant.value === "string" ? grant.value || undefined : undefined,
    required: box.idRequired,
  });
  // The page's style sheet may give checkboxes the full width or none, which would make this one unusable.
  const { style } = input;
  style.inlineSize = TICK_SIZE;
  style.blockSize = TICK_SIZE;
  style.flex = "none";
  style.margin = "0";
  return { grant, input, label: element("label", {}, input, element("span", {}, text)) };
}

/** Sets the browser's message for a missing tick in the language of the box. */
function setRequiredMessage(
  input: HTMLInputElement,
  form: HTMLFormElement | null,
  text: string,
): void {
  const forget = (): void => input.setCustomValidity("");
  input.addEventListener("invalid", () =>
    input.setCustomValidity(input.validity.valueMissing ? text : ""),
  );
  input.addEventListener("change", forget);
  // A script that checks it fires no event, so any click in the form resets the message.
  form?.addEventListener("click", forget, true);
}

function toDocument({ box, say }: BoxContext): Node | undefined {
  const { file = "" } = box;
  return /^https?:/i.test(file) ? element("p", {}, toLink(file, say("openFile"))) : undefined;
}
