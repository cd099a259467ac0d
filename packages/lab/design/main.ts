// npm run design: the tokens and components of the admin app, on a page for its developers.
import { openDesign } from "./site.ts";

const { url } = await openDesign();
console.log(`\n  Tokens and components: ${url}\n  Stop with Ctrl+C; restart to see a change.\n`);
