import type { Asked } from "./place.ts";
import type { Frame } from "./frame.ts";
import type { Given } from "./buttons.ts";
import { waitFor } from "../core/patience.ts";
import { emit, tellError } from "../core/events.ts";
import type { Ticket } from "../core/service.ts";

/** Sends the answers of one box, one at a time, each with the ticket of what was displayed. */
export interface Sender {
  isSending(): boolean;
  /** The box is in front of the visitor. */
  noteDisplay: () => void;
  /** Answers whether the service has it, or it is kept and sent later; the box tells where it is neither. */
  send(given: Given): Promise<boolean>;
}

/** The service takes a ticket for half an hour; a form may be open for longer. */
const TICKET_AGE_MS_MAX = 25 * 60_000;

/** Opens the way of a box's answers to the service. */
export function openSender(asked: Asked, frame: Frame): Sender {
  const { context, collection, box, say } = asked;
  const { service, choices } = context;
  let sending: Promise<boolean> | undefined;
  let display: { ticket: Ticket; at: number } | undefined;
  const noteDisplay = (): void => {
    const at = performance.now();
    if (display && at - display.at < TICKET_AGE_MS_MAX) return;
    // Whoever has answered is not asked.
    const shown = asked.answers.find(asked.box)
      ? ""
      : { identifier: asked.box.identifier, step: "" };
    display = { ticket: service.noteDisplay(shown), at };
  };
  const fail = (error: unknown): void => {
    frame.tell(say("unsaved"));
    tellError(error);
  };
  const trySend = async ({ accept, value }: Given): Promise<boolean> => {
    const { identifier, language } = box;
    const { token } = choices;
    const ticket = display?.ticket;
    // A ticket counts once, whatever becomes of the answer.
    display = undefined;
    frame.setBusy(true);
    frame.tell("");
    try {
      const answer = { collection, identifier, accept, language, value };
      const since = Date.now();
      const posting = service.send(answer, token, ticket);
      const sent = await waitFor(posting, { identifier, token, since });
      choices.refresh();
      choices.keep({ $$token: choices.token });
      const goBack = asked.answers.keep(box, { accept, token });
      emit("boxAnswered", { collection, identifier, accept });
      if (sent === "kept") emit("kept");
      // Also where it was kept, and the service answers in the end.
      posting.then(
        (late) => late !== "kept" && emit("saved", late),
        (error: unknown) => {
          goBack();
          asked.onAnswered();
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
    asked.onAnswered();
    return true;
  };
  return {
    isSending: () => Boolean(sending),
    noteDisplay,
    send: (given) => (sending ??= trySend(given)),
  };
}
