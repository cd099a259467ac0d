import type { AsksAgain } from "@avow/client/operations";
import { toNumber } from "../../browser/format.ts";
import { Card } from "../../ui/parts.tsx";
import { words } from "../../words/words.ts";

/** The items that people are asked again because of a publication, and the number of people. */
export function ReconsentCard({ asks }: { asks: AsksAgain }) {
  const { publish, project } = words.value;
  const lead =
    asks.count === 0 ? publish.nobody : publish.people(toNumber(asks.tokens), asks.atLeast);
  return (
    <Card title={publish.asksAgain} lead={lead}>
      {asks.items.length > 0 && (
        <ul class="rows">
          {asks.items.map(({ identifier, item, name, additions, tokens }) => (
            <li key={`${identifier}/${item}`}>
              <span>
                <strong>{name}</strong>{" "}
                <span class="soft">
                  {additions.map((one) => project.changeClasses[one]).join(", ")}
                </span>
              </span>
              <span>{toNumber(tokens)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
