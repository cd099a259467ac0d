"use client";
import type { ConsentOffer, OfferStep, OfferVendor } from "@avow/widget/headless";
import { type ReactNode, useId, useState } from "react";
import { useClassNames } from "../content/class-names.ts";
import { Link, Message, Picture } from "../content/message.tsx";
import type { Choices } from "./choices.ts";

/** Lists with more vendors are closed, and have a search field. Its texts are published only for them. */
const VENDORS_SHOWN_MAX = 10;

interface CategoriesProps {
  offer: ConsentOffer;
  choices: Choices;
  /** Whether a single category has a heading: on a first layer, the header has its title. */
  isTitled: boolean;
}

/** All categories with their vendors. */
export function Categories({ offer, choices, isTitled }: CategoriesProps): ReactNode {
  const [wanted, setWanted] = useState("");
  const { categories } = offer;
  const count = categories.reduce((sum, { vendors = [] }) => sum + vendors.length, 0);
  const isLong = count > VENDORS_SHOWN_MAX;
  const groups = categories.map((step) => ({
    step,
    vendors: listShown(step, offer).filter((vendor) => matches(vendor, wanted)),
  }));
  const shown = wanted ? groups.filter(({ vendors }) => vendors[0]) : groups;
  return (
    <>
      {isLong && (
        <Search offer={offer} wanted={wanted} onSearch={setWanted} isFound={Boolean(shown[0])} />
      )}
      {shown.map(({ step, vendors }) => (
        <Group
          key={step.name}
          {...{ offer, choices, step, vendors }}
          isTitled={isTitled || categories.length > 1}
          isOpen={!isLong || wanted !== ""}
        />
      ))}
    </>
  );
}

function listShown({ vendors = [] }: OfferStep, offer: ConsentOffer): readonly OfferVendor[] {
  return vendors.filter(({ name, required }) => required || offer.isAsked(name));
}

function matches(vendor: OfferVendor, wanted: string): boolean {
  const { name, title, shortDescription, longDescription } = vendor;
  return [title ?? name, shortDescription, longDescription].some((text) =>
    simplify(text ?? "").includes(simplify(wanted)),
  );
}

/** Without case and accents. */
function simplify(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

interface SearchProps {
  offer: ConsentOffer;
  wanted: string;
  onSearch: (wanted: string) => void;
  isFound: boolean;
}

function Search({ offer, wanted, onSearch, isFound }: SearchProps): ReactNode {
  const toClass = useClassNames();
  return (
    <div className={toClass("search")}>
      <input
        type="search"
        placeholder={offer.say("search")}
        aria-label={offer.say("search")}
        value={wanted}
        onChange={({ target }) => onSearch(target.value)}
      />
      <p className="avow-soft" role="status">
        {isFound ? "" : offer.say("noMatch")}
      </p>
    </div>
  );
}

interface GroupProps extends CategoriesProps {
  step: OfferStep;
  vendors: readonly OfferVendor[];
  isOpen: boolean;
}

/** A category: its text, a switch for all of its vendors, and one for each that is asked. */
function Group({ offer, choices, step, vendors, isTitled, isOpen }: GroupProps): ReactNode {
  const toClass = useClassNames();
  const title = step.title || step.name;
  const asked = listShown(step, offer)
    .filter(({ required }) => !required)
    .map(({ name }) => name);
  const hasAll = asked.length > 1 && step.showToggleAllSwitch !== false;
  const all = (label: string, isHidden: boolean): ReactNode =>
    hasAll && (
      <Switch
        label={label}
        isLabelHidden={isHidden}
        isOn={asked.every(choices.isOn)}
        onSet={(isOn) => choices.set(asked, isOn)}
      />
    );
  const list = (
    // Safari drops the role of lists without markers.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul className="avow-vendors" role="list">
      {vendors.map((vendor) => (
        <Vendor key={vendor.name} {...{ offer, choices, step, vendor }} />
      ))}
    </ul>
  );
  return (
    <div className={toClass("group")}>
      {isTitled && (
        <div className="avow-label">
          <h3 className="avow-subtitle">{title}</h3>
          {all(title, true)}
        </div>
      )}
      <Message html={step.message} />
      {!isTitled && all(offer.say("toggleAll", step), false)}
      {vendors[0] &&
        (isOpen ? (
          list
        ) : (
          <details className="avow-list">
            <summary>{`${offer.say("services", step)} (${vendors.length})`}</summary>
            {list}
          </details>
        ))}
    </div>
  );
}

interface VendorProps {
  offer: ConsentOffer;
  choices: Choices;
  step: OfferStep;
  vendor: OfferVendor;
}

function Vendor({ offer, choices, step, vendor }: VendorProps): ReactNode {
  const toClass = useClassNames();
  const { name, title = name, shortDescription, required } = vendor;
  return (
    <li className={toClass("vendor")}>
      {required ? (
        <p className="avow-label">
          <span>{title}</span>
          <span className="avow-soft">{offer.say("alwaysOn", step)}</span>
        </p>
      ) : (
        <Switch
          label={title}
          description={shortDescription}
          isOn={choices.isOn(name)}
          onSet={(isOn) => choices.set([name], isOn)}
        />
      )}
      {required && shortDescription && <p className="avow-soft">{shortDescription}</p>}
      <VendorDetails say={(text) => offer.say(text, step)} vendor={vendor} title={title} />
    </li>
  );
}

interface VendorDetailsProps {
  say: (name: string) => string;
  vendor: OfferVendor;
  title: string;
}

function VendorDetails({ say, vendor, title }: VendorDetailsProps): ReactNode {
  const { longDescription, policyUrl, image, storage = [] } = vendor;
  if (!longDescription && !policyUrl && !storage[0]) return null;
  return (
    <details className="avow-soft">
      <summary aria-label={`${say("details")}: ${title}`}>{say("details")}</summary>
      <Picture src={image} size={32} />
      {longDescription && <p>{longDescription}</p>}
      {policyUrl && (
        <p>
          <Link href={policyUrl}>{say("policy")}</Link>
        </p>
      )}
      {storage[0] && (
        <div className="avow-stored">
          <h4>{say("storage")}</h4>
          <ul>
            {storage.map(({ name, purpose, duration, provider }) => (
              <li key={name}>
                <code>{name}</code>
                {purpose && <p>{purpose}</p>}
                {duration && <p>{`${say("duration")}: ${duration}`}</p>}
                {provider && <p>{`${say("provider")}: ${provider}`}</p>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </details>
  );
}

interface SwitchProps {
  label: string;
  /** Whether the label is beside the switch already, as a heading. */
  isLabelHidden?: boolean;
  description?: string | undefined;
  isOn: boolean;
  onSet: (isOn: boolean) => void;
}

function Switch({ label, isLabelHidden, description, isOn, onSet }: SwitchProps): ReactNode {
  const toClass = useClassNames();
  const id = useId();
  const input = (
    <input
      type="checkbox"
      role="switch"
      className={toClass("switch")}
      aria-label={isLabelHidden ? label : undefined}
      aria-describedby={description ? id : undefined}
      checked={isOn}
      onChange={({ target }) => onSet(target.checked)}
    />
  );
  if (isLabelHidden) return input;
  return (
    <>
      <label className="avow-label">
        <span>{label}</span>
        {input}
      </label>
      {description && (
        <p className="avow-soft" id={id}>
          {description}
        </p>
      )}
    </>
  );
}
