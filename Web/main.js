// The front of the page: its words and the prompt box, so that who comes to ask can write at once. All else follows, and
// takes what was written.

import { Composer } from "/composer.js";
import { byID, setText } from "/dom.js";
import { loadLanguage, words } from "/language.js";
import * as storage from "/storage.js";

async function open() {
  await loadLanguage();
  const composer = new Composer();
  const conversation = /^\/c\/([^/]+)$/.exec(location.pathname)?.[1];
  // Whether somebody is still signed in only the server knows; who was here last may begin in the meantime. What they had
  // begun before is theirs alone, and waits for the server.
  if (storage.read("account") !== undefined && !composer.hasDraft(conversation)) {
    composer.open(conversation);
    byID("welcome").hidden = location.pathname !== "/";
    byID("app").hidden = false;
    composer.focus();
  }
  try {
    // Fetching fifty files before the first one runs would hold up what is above.
    for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";
    await (await import("/app.js")).start(composer);
  } catch {
    setText(byID("no-core"), words().coreBroken);
    byID("no-core").hidden = false;
  }
}

open();
