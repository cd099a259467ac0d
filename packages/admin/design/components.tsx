import type { ComponentChildren } from "preact";
import { samples } from "./samples.tsx";

/** Each component in each of its states, light and dark side by side. */
export function Components() {
  return (
    <>
      {samples.map(({ title, states }) => (
        <section key={title} class="card" aria-label={title}>
          <h2>{title}</h2>
          {Object.entries(states).map(([state, show]) => (
            <div key={state}>
              <h3 class="soft">{state}</h3>
              <div class="design-schemes">
                <Scheme name="light">{show()}</Scheme>
                <Scheme name="dark">{show()}</Scheme>
              </div>
            </div>
          ))}
        </section>
      ))}
    </>
  );
}

function Scheme({ name, children }: { name: "light" | "dark"; children: ComponentChildren }) {
  return <div class={`design-scheme ${name}`}>{children}</div>;
}
