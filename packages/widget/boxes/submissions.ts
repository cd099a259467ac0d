/** A part of a form whose answer is saved before the form is submitted. */
export interface SavedPart {
  /** Scrolled to if saving fails. */
  host: Element;
  /** Its place in the page: in a form, or not. */
  place: Element;
  /** Whether there is an unsaved answer. */
  isUnsaved(): boolean;
  /** Saves the answer; returns whether it succeeded, and shows an error otherwise. */
  save(): Promise<boolean>;
}

/** Maximum time between two submissions of the same double click. */
const DOUBLE_CLICK_MS = 1_000;

/**
 * Delays the submission of each form until the answers in its boxes are saved, and then submits it by the same button, with
 * the browser's validation. If saving fails, the box shows the error and the form is not submitted; submitting again
 * retries. A form without unsaved answers is not changed. Returns a function that ends it.
 */
export function delaySubmissions(listOpened: () => readonly SavedPart[]): () => void {
  const held = new WeakSet<HTMLFormElement>();
  const sentAt = new WeakMap<HTMLFormElement, number>();
  const save = async (form: HTMLFormElement, unsaved: readonly SavedPart[]): Promise<boolean> => {
    held.add(form);
    const done = await Promise.all(unsaved.map((one) => one.save()));
    held.delete(form);
    unsaved[done.indexOf(false)]?.host.scrollIntoView({ block: "nearest" });
    return done.every(Boolean);
  };
  const send = (form: HTMLFormElement, submitter: HTMLElement | null): void => {
    // A submission that the page prevents does not count: it may send the form itself, as often as it wants.
    const note = (event: Event): void => {
      if (!event.defaultPrevented) sentAt.set(form, event.timeStamp);
    };
    addEventListener("submit", note);
    // A field of the form may be named `requestSubmit`.
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
    const isAgain =
      held.has(form) || timeStamp - (sentAt.get(form) ?? -DOUBLE_CLICK_MS) < DOUBLE_CLICK_MS;
    if (!isAgain && unsaved.length === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!isAgain) void save(form, unsaved).then((isSaved) => isSaved && send(form, submitter));
  };
  // Capturing on the window runs before the page's own listeners.
  addEventListener("submit", onSubmit, true);
  return () => removeEventListener("submit", onSubmit, true);
}

function isButtonOf(submitter: HTMLElement | null, form: HTMLFormElement): boolean {
  const isButton = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement;
  return isButton && submitter.form === form;
}
