// Passkeys: what the browser is asked for and what it answers, in the JSON that the server speaks. The bytes in between
// are turned here, since not every browser that has passkeys can do it by itself.

import { call } from "/api.js";
import { makeID } from "/ids.js";

/** Whether this page, in this browser and at this address, can use a passkey of the server's. */
export function canUsePasskeys(ways) {
  return ways?.passkeys?.origin === location.origin && window.PublicKeyCredential !== undefined;
}

/** Lets the person pick a passkey and signs in with it; gives the session, or nothing where they changed their mind. */
export async function signInByPasskey(device) {
  const { options } = await call("POST", "/v1/passkeys/challenge", { for: "sign-in" });
  const credential = await asked(() => navigator.credentials.get({
    publicKey: { ...options, challenge: toBytes(options.challenge) },
  }));
  if (!credential) return undefined;
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return call("POST", "/v1/sessions/passkey", {
    device, cookie: true, credential: written(credential, { clientDataJSON, authenticatorData, signature, userHandle }),
  });
}

/** Lets the person make a passkey and adds it; gives it, or nothing where they changed their mind. */
export async function addPasskey(name) {
  const { options } = await call("POST", "/v1/passkeys/challenge", { for: "registration" });
  const credential = await asked(() => navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: options.excludeCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
    },
  }));
  if (!credential) return undefined;
  const { clientDataJSON, attestationObject } = credential.response;
  const reply = written(credential, { clientDataJSON, attestationObject });
  reply.response.transports = credential.response.getTransports?.() ?? [];
  return call("PUT", `/v1/passkeys/${makeID()}`, { name, credential: reply });
}

/** The browser's answer; nothing where its person said no or let it wait. One that is there already is an error. */
async function asked(ask) {
  try {
    return await ask();
  } catch (problem) {
    if (["NotAllowedError", "AbortError"].includes(problem.name)) return undefined;
    throw problem;
  }
}

function written(credential, response) {
  const texts = Object.entries(response).filter(([, bytes]) => bytes).map(([name, bytes]) => [name, toText(bytes)]);
  return { id: credential.id, type: credential.type, response: Object.fromEntries(texts) };
}

function toBytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

function toText(buffer) {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "");
}
