import { transferWords } from "../../words/transfer/words.ts";

/** The consequences of a transfer, for both sides. */
export function Effects() {
  const { moves, copied, ends, stays } = transferWords.value.effects;
  return (
    <ul class="effects">
      {[moves, copied, ends, stays].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
