import { ConsentForm, ConsentGate, ConsentScript, Embed } from "@avow/react";
import { readConsent } from "./consent/read-consent";

const pots = [
  { name: "Bread pot", price: "€ 74", glaze: "ochre" },
  { name: "Soup bowl", price: "€ 28", glaze: "moss" },
  { name: "Coffee cup", price: "€ 19", glaze: "slate" },
];

export default async function Page() {
  const { isAccepted } = await readConsent();
  return (
    <main>
      <section className="hero">
        <h1>Pots for bread, soup and coffee</h1>
        {/* Read on the server: the personal line is in the HTML, or not sent at all. */}
        <p>{isAccepted("recommendations") ? "Chosen for you this week" : "Our best sellers"}</p>
      </section>
      <ul className="pots">
        {pots.map(({ name, price, glaze }) => (
          <li key={name}>
            <div className={`pot ${glaze}`} />
            <h2>{name}</h2>
            <p>{price}</p>
          </li>
        ))}
      </ul>
      {/* The same in a client component: it changes as soon as the visitor answers. */}
      <ConsentGate vendor="recommendations" fallback={<p>Popular: Bread pot</p>}>
        <p>Because you liked the soup bowl: Coffee cup</p>
      </ConsentGate>
      <ConsentScript vendor="analytics" src="/tag.js" />
      <section className="pair">
        <Embed vendor="films" src="/film.html" title="How we throw a pot" className="film" />
        <ConsentForm form="newsletter" />
      </section>
    </main>
  );
}
