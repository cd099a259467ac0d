import { listProviders } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { type Pending, keepPending } from "../../data/pending.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { words } from "../../words/words.ts";

/** Links to the configured sign-in providers; nothing if there are none. `pending` is completed after the sign-in. */
export function Providers({ pending }: { pending?: Pending }) {
  const { signIn } = words.value.auth;
  const providers = useLoad(() => send(listProviders), []);
  // A failure is ignored, because passwords work without providers.
  if (providers.state !== "ready" || providers.value.length === 0) return null;
  const redirectURI = location.origin + toHref("/signin/finish");
  // A claim is not in the query, which logs may contain: it is for existing accounts.
  const invited = pending && "invitationToken" in pending ? pending : {};
  const query = new URLSearchParams({ redirectURI, ...invited }).toString();
  return (
    <>
      <ul class="providers">
        {providers.value.map(({ name, title, links }) => (
          <li key={name}>
            <a
              class="button wide"
              href={`${links.signin}?${query}`}
              onClick={() => keepPending(pending)}
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
