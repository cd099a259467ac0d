import { type Words, en } from "../words/en.ts";

/** Says what is wrong in the words of a language. */
export type SayFault = (faults: Words["faults"]) => string;

/** Something is not written as its format asks. The message is one plain sentence, in English. */
export class FormatError extends Error {
  override name = "FormatError";
  /** The same sentence in another language. */
  readonly say: SayFault;

  constructor(say: SayFault) {
    super(say(en.faults));
    this.say = say;
  }
}
