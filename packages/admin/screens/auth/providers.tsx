import { listProviders } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { words } from "../../words/words.ts";

/** Links to the configured sign-in providers; nothing if there are none. */
export function Providers() {
  const { signIn } = words.value.auth;
  const providers = useLoad(() => send(listProviders), []);
  // A failure is ignored, because passwords work without providers.
  if (providers.state !== "ready" || providers.value.length === 0) return null;
  const redirectURI = location.origin + toHref("/signin/finish");
  return (
    <>
      <ul class="providers">
        {providers.value.map(({ name, title, links }) => (
          <li key={name}>
            <a
              class="button wide"
              href={`${links.signin}?${new URLSearchParams({ redirectURI }).toString()}`}
            >
              {signIn.with(title)}
            </a>
          </li>
        ))}
      </ul>
      <p class="or">{signIn.or}</p>
    </>
  );
}
