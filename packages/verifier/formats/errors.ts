import { type Words, en } from "../words/en.ts";

/** Returns the error message in a language. */
export type ToMessage = (errors: Words["errors"]) => string;

/** A violation of a format. The message is one sentence in English. */
export class FormatError extends Error {
  override name = "FormatError";
  /** Returns the message in another language. */
  readonly say: ToMessage;

  constructor(say: ToMessage) {
    super(say(en.errors));
    this.say = say;
  }
}
