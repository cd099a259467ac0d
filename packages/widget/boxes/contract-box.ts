import type { Asked, Opened } from "./place.ts";
import { openFrame, toHead } from "./frame.ts";
import { type Given, toChoices } from "./buttons.ts";
import { whenReached, whenSeen } from "./visibility.ts";
import { openSender } from "./sender.ts";
import { toButton, toButtons, toState } from "./state.ts";
import { element } from "../banner/dom.ts";
import { toLink, toNodes } from "../banner/html.ts";

/** Small enough for any line of a form, and a target of 24 px (WCAG 2.2, 2.5.8). */
const TICK_SIZE = "24px";

/**
 * A contract box: the document, and a checkbox outside of the shadow root, so that the form around it
 * sends it. It is never ticked by us: each form that is sent asks anew, and what was accepted before is
 * told beside it. In a form it is saved when the form is sent; alone, when it is ticked.
 */
export function openContractBox(asked: Asked): Opened {
  const { answers, box, place, say } = asked;
  const frame = openFrame(asked);
  const sender = openSender(asked, frame);
  const form = place.closest("form");
  const { grant, input, label } = toTick(asked);
  /** What was saved of this page's tick; undefined where it has not been touched since. */
  let saved: boolean | undefined;
  let isTouched = false;
  const toUnsaved = (): Given | undefined => {
    if (input.checked) return saved ? undefined : grant;
    // Not to tick is no answer; to take a tick back that was saved is one.
    return saved && isTouched ? { accept: false } : undefined;
  };
  const give = async (given: Given): Promise<boolean> => {
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
    const isOver = !form && held?.accept === true;
    if (isOver) label.remove();
    // Put there again, the checkbox would lose the keyboard.
    else if (!label.isConnected) frame.host.append(label);
    frame.show(
      toHead(box.title, box.subTitle),
      element("div", { class: "message" }, toNodes(box.message)),
      toDocument(asked),
      element("slot", {}),
      held && toState(asked, held),
      held?.accept && toButtons(toButton(say("withdraw"), () => void withdraw(), "plain")),
    );
  };
  input.addEventListener("click", (event) => {
    if (sender.isSending()) event.preventDefault();
  });
  tellRequired(input, form, say("required"));
  input.addEventListener("change", () => {
    isTouched = true;
    frame.tell("");
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
    frame.tell("");
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

function toTick({ box, say }: Asked): {
  grant: Given;
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
  // The page's style sheet is for its own fields: a checkbox of its full width, or none, cannot be ticked.
  const { style } = input;
  style.inlineSize = TICK_SIZE;
  style.blockSize = TICK_SIZE;
  style.flex = "none";
  style.margin = "0";
  return { grant, input, label: element("label", {}, input, element("span", {}, text)) };
}

/** What the browser says of a tick that is missing, in the box's language in place of the browser's. */
function tellRequired(input: HTMLInputElement, form: HTMLFormElement | null, text: string): void {
  const forget = (): void => input.setCustomValidity("");
  input.addEventListener("invalid", () =>
    input.setCustomValidity(input.validity.valueMissing ? text : ""),
  );
  input.addEventListener("change", forget);
  // A script that ticks it tells nobody: the next click on the form's button judges anew.
  form?.addEventListener("click", forget, true);
}

function toDocument({ box, say }: Asked): Node | undefined {
  const { file = "" } = box;
  return /^https?:/i.test(file) ? element("p", {}, toLink(file, say("openFile"))) : undefined;
}
