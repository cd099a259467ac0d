import type { BoxContext } from "./box.ts";
import type { Frame } from "./frame.ts";
import type { BoxAnswer } from "../texts/form-choices.ts";
import { waitFor } from "../page/send-timeout.ts";
import { emit, emitError } from "../page/events.ts";
import type { Ticket } from "../core/sending/service.ts";

/** Sends the answers of one box, one at a time, each with a display ticket. */
export interface Sender {
  isSending(): boolean;
  /** Notes that the box is visible. */
  noteDisplay: () => void;
  /** Returns whether the answer is saved or kept for later; otherwise the box shows the error. */
  send(given: BoxAnswer): Promise<boolean>;
}

/** Maximum age of a ticket. The service accepts it for 30 minutes, and a form may be open for longer. */
const TICKET_AGE_MS_MAX = 25 * 60_000;

export function openSender(boxContext: BoxContext, frame: Frame): Sender {
  const { context, collection, box, say } = boxContext;
  const { service, choices } = context;
  let sending: Promise<boolean> | undefined;
  let display: { ticket: Ticket; at: number } | undefined;
  const noteDisplay = (): void => {
    const at = performance.now();
    if (display && at - display.at < TICKET_AGE_MS_MAX) return;
    // A visitor who has answered is not asked, so no impression is counted.
    const shown = boxContext.answers.find(boxContext.box)
      ? ""
      : { identifier: boxContext.box.identifier, step: "" };
    display = { ticket: service.noteDisplay(shown), at };
  };
  const fail = (error: unknown): void => {
    frame.setError(say("unsaved"));
    emitError(error);
  };
  const trySend = async ({ accept, value }: BoxAnswer): Promise<boolean> => {
    const { identifier, language } = box;
    const { token } = choices;
    const ticket = display?.ticket;
    // A ticket can be used only once, even if sending fails.
    display = undefined;
    frame.setBusy(true);
    frame.setError("");
    try {
      const answer = { collection, identifier, accept, language, value };
      const since = Date.now();
      const posting = service.send(answer, token, ticket);
      const sent = await waitFor(posting, { identifier, token, since });
      choices.refresh();
      choices.keep({ $$token: choices.token });
      const restore = boxContext.answers.keep(box, { accept, token });
      emit("boxAnswered", { collection, identifier, accept });
      if (sent === "kept") emit("kept");
      // Also for a kept answer, when the service responds later.
      posting.then(
        (late) => late !== "kept" && emit("saved", late),
        (error: unknown) => {
          restore();
          boxContext.onAnswered();
          fail(error);
        },
      );
    } catch (error) {
      fail(error);
      noteDisplay();
      return false;
    } finally {
      frame.setBusy(false);
      sending = undefined;
    }
    boxContext.onAnswered();
    return true;
  };
  return {
    isSending: () => Boolean(sending),
    noteDisplay,
    send: (given) => (sending ??= trySend(given)),
  };
}
