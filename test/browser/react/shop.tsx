// A page of a shop in React, which a server renders and a browser hydrates.
import {
  ConsentBanner,
  ConsentForm,
  ConsentGate,
  ConsentProvider,
  ConsentScript,
  Embed,
  useConsent,
} from "@avow/react";
import { type ReactNode, StrictMode, useState } from "react";
import type { ShopProps } from "./shop-props.ts";

export function Shop(props: ShopProps): ReactNode {
  const { project, url, snapshot, nonce, forms = [], inForm = [], isOwn } = props;
  const [token, setToken] = useState(props.token);
  return (
    <StrictMode>
      <ConsentProvider project={project} url={url} snapshot={snapshot} token={token} nonce={nonce}>
        {isOwn ? <OwnBanner /> : <ConsentBanner classNames={{ button: "shop-button" }} />}
        <main>
          <h1>Shop</h1>
          <ConsentGate vendor="one" fallback={<p>Popular pots</p>}>
            <p>Pots for you</p>
          </ConsentGate>
          <ConsentGate vendor={[]} fallback={<p>Without a vendor</p>}>
            <p>Ungated</p>
          </ConsentGate>
          <ConsentScript vendor="one" src="/tag.js" nonce={nonce} />
          <Embed vendor="two" src="/frame" title="A film about pots" width={480} height={270} />
          {forms.map((form) => (
            <ConsentForm key={form} form={form} />
          ))}
          {inForm[0] && (
            <form action="/order">
              <input name="email" aria-label="E-mail" />
              {inForm.map((form) => (
                <ConsentForm key={form} form={form} />
              ))}
              <button type="submit">Order</button>
            </form>
          )}
          <Settings />
          {token !== undefined && (
            <button type="button" onClick={() => setToken(undefined)}>
              Sign out
            </button>
          )}
        </main>
      </ConsentProvider>
    </StrictMode>
  );
}

function Settings(): ReactNode {
  const { show, state } = useConsent();
  const isCustomer = state.token?.startsWith("customer-") ?? false;
  return (
    <>
      <button type="button" data-tc={state.tcString} onClick={() => void show()}>
        Privacy
      </button>
      {isCustomer && <p>Signed in</p>}
    </>
  );
}

/** An interface on the state alone. */
function OwnBanner(): ReactNode {
  const { state, answer } = useConsent();
  if (state.view !== "banner" || !state.offer) return null;
  return (
    <aside aria-label="Own banner">
      {state.offer.buttons.map(
        (button) =>
          button.act === "answer" && (
            <button
              key={button.name}
              type="button"
              onClick={() => void answer(button.answer ?? false)}
            >
              {button.text}
            </button>
          ),
      )}
      <p>{state.pending.join(", ")}</p>
    </aside>
  );
}
