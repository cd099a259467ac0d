/**
 * Names the visitor's token to the module, so that answers count on all devices of an account. A real site looks the session
 * up; the token is a secret of the visitor, such as a random identifier that is stored with the account.
 */
export default defineEventHandler((event) => {
  const session = getCookie(event, "session");
  if (session) event.context.avow = { token: session };
});
