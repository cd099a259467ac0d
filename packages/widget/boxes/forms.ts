import type { Opened } from "./place.ts";

/** For so long a second click may be of the same double click. */
const AGAIN_MS = 1_000;

/**
 * Holds every form until what was answered in its boxes is saved, and then sends it as it was to be sent:
 * by the same button, and validated by the browser again. Where it cannot be saved, the box tells why and
 * the form stays; sending it again tries again. A form with nothing to save is left alone.
 */
export function holdForms(listOpened: () => readonly Opened[]): void {
  const held = new WeakSet<HTMLFormElement>();
  const sentAt = new WeakMap<HTMLFormElement, number>();
  const save = async (form: HTMLFormElement, unsaved: readonly Opened[]): Promise<boolean> => {
    held.add(form);
    const done = await Promise.all(unsaved.map((one) => one.save()));
    held.delete(form);
    unsaved[done.indexOf(false)]?.host.scrollIntoView({ block: "nearest" });
    return done.every(Boolean);
  };
  const send = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
    // Where the page sends the form by itself, it may ask for it as often as it wants.
    const note = (event: Event): void => {
      if (!event.defaultPrevented) sentAt.set(form, event.timeStamp);
    };
    addEventListener("submit", note);
    // A field may have this name.
    HTMLFormElement.prototype.requestSubmit.call(
      form,
      isButtonOf(submitter, form) ? submitter : null,
    );
    removeEventListener("submit", note);
  };
  const onSubmit = (event: SubmitEvent): void => {
    const { target: form, submitter, timeStamp } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const unsaved = listOpened().filter(
      (one) => one.place.closest("form") === form && one.isUnsaved(),
    );
    const isAgain = held.has(form) || timeStamp - (sentAt.get(form) ?? -AGAIN_MS) < AGAIN_MS;
    if (!isAgain && unsaved.length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isAgain) void save(form, unsaved).then((isSaved) => isSaved && send(form, submitter));
  };
  // On the window and first, so that the page's own code sees the form when it may be sent.
  addEventListener("submit", onSubmit, true);
}

function isButtonOf(submitter: HTMLElement | null, form: HTMLFormElement): boolean {
  const isButton = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement;
  return isButton && submitter.form === form;
}
