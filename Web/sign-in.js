// The card for signing in, fetched when somebody has to.

import { call, Refusal } from "/api.js";
import { arrival } from "/arrival.js";
import { byID, setText } from "/dom.js";
import { addFragment } from "/fragment.js";
import { offerJoining, watchJoining } from "/joining.js";
import { words } from "/language.js";
import { adopt, deviceName } from "/session.js";
import * as shelf from "/shelf.js";
import { drawWays, offered } from "/ways.js";

let enter;

/** Shows the card, and nothing of any account; `entered(isOther)` after signing in. */
export async function showSignIn(entered) {
  // What could be read offline is not left to whoever opens this browser next.
  shelf.clear();
  enter = async (session) => entered(adopt(session?.account?.id ?? session?.account));
  await addFragment("/sign-in.html", wire);
  byID("app").hidden = true;
  byID("sign-in").hidden = false;
  document.title = `${words().signInTitle} · Rejoinder`;
  const ways = offered();
  offerJoining(ways);
  const said = arrival();
  if (said !== undefined) setText(byID("sign-in-error"), said);
  drawWays(await ways, enter, deviceName);
}

function wire() {
  watchJoining({ deviceName, joined: (session) => enter(session) });
  byID("sign-in-form").onsubmit = signIn;
}

async function signIn(event) {
  event.preventDefault();
  const error = byID("sign-in-error");
  setText(error, "");
  try {
    const session = await call("POST", "/v1/sessions", {
      name: byID("sign-in-name").value.trim(), password: byID("sign-in-password").value, device: deviceName(), cookie: true,
    });
    byID("sign-in-password").value = "";
    await enter(session);
  } catch (problem) {
    const isWrong = problem instanceof Refusal && problem.status === 401;
    setText(error, isWrong ? words().notAccepted : problem instanceof Refusal ? words().tryLater : words().unreachable);
  }
}
