"use client";
import type { ConsentOffer, OfferButton, OfferStep } from "@avow/widget/headless";
import type { ReactNode } from "react";
import { useClassNames } from "../content/class-names.ts";
import { useConsent } from "../context/hooks.tsx";
import { Picture } from "../content/message.tsx";
import type { Choices } from "./choices.ts";

type HeadProps = Pick<OfferStep, "name" | "topTitle" | "title" | "subTitle" | "image"> & {
  id: string;
  children?: ReactNode;
};

export function Head({ id, name, topTitle, title, subTitle, image, children }: HeadProps) {
  const toClass = useClassNames();
  return (
    <div className={toClass("head")}>
      <div>
        {topTitle && <p className="avow-soft">{topTitle}</p>}
        <h2 className={toClass("title")} id={id} tabIndex={-1}>
          {title || name}
        </h2>
        {subTitle && <p className="avow-soft">{subTitle}</p>}
      </div>
      <Picture src={image} size={72} />
      {children}
    </div>
  );
}

/** The text of a screen, which can be scrolled by keyboard. */
export function Body({
  offer,
  labelId,
  children,
}: {
  offer: ConsentOffer;
  labelId: string;
  children: ReactNode;
}): ReactNode {
  const toClass = useClassNames();
  return (
    // Scrolled by keyboard (WCAG 2.2, 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={toClass("body")} tabIndex={0} aria-labelledby={labelId}>
      {offer.note && (
        <p className="avow-note" role="status">
          {offer.note}
        </p>
      )}
      {children}
    </section>
  );
}

/** The buttons of an offer. Those that accept and refuse have the same classes. */
export function Foot({ offer, choices }: { offer: ConsentOffer; choices: Choices }): ReactNode {
  const toClass = useClassNames();
  const consent = useConsent();
  const press = ({ act, answer }: OfferButton): void => {
    if (act === "choose") void consent.show("preferences");
    else if (act === "close") consent.close();
    // A failure is in the state.
    else consent.answer(answer ?? choices.toAnswer()).catch(() => undefined);
  };
  return (
    <div className={toClass("foot")}>
      {offer.buttons.map((button) => (
        <button
          key={button.name}
          type="button"
          className={
            button.act === "save" || button.act === "choose"
              ? toClass("quiet", `avow-${button.act}`)
              : toClass("button")
          }
          onClick={() => press(button)}
        >
          {button.text}
        </button>
      ))}
    </div>
  );
}
