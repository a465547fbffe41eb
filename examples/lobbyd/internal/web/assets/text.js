// Texts of servers are set only as textContent: the Content-Security-Policy forbids
// anything else.

// make returns an element. Texts among its children become text nodes.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// put sets a text and reports whether it changed.
export function put(element, text) {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

const families = { gameagent: "GameAgent", gamespy2: "GameSpy", warzone: "Warzone", bomberman: "Bomberman" };

export const familyName = (family) => families[family] ?? family;

const units = [[86400, "d"], [3600, "h"], [60, "min"]];

// ago returns the time since then, in the largest unit that fits.
export function ago(stamp, now = Date.now()) {
  const seconds = Math.max(0, (now - Date.parse(stamp)) / 1000);
  for (const [size, unit] of units) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`;
  }
  return "now";
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const times = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

export const date = (stamp) => dates.format(new Date(stamp));
export const time = (stamp) => times.format(new Date(stamp));

const numbers = new Intl.NumberFormat();

export const number = (n) => numbers.format(n);

// count returns "1 game" or "2 games".
export const count = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

// players returns the number of players and the maximum, as "3 / 8".
export function players(server) {
  if (server.away) return "–";
  const most = server.maxPlayers === undefined ? "" : ` / ${number(server.maxPlayers)}`;
  return server.players === undefined ? `?${most}` : number(server.players) + most;
}

// spectators returns the number of spectators, as "2 watching", or "" without any.
export const spectators = (server) => (server.spectators ? `${number(server.spectators)} watching` : "");

const meanings = {
  reachable: "It answers.",
  unreachable: "It does not answer.",
  unknown: "It has not been queried yet.",
  verified: "Its host has proved that it is at this address.",
  unverified: "Its host claims this address and has not proved it.",
  away: "A favourite that is not listed now.",
  official: "The operator of the lobby vouches for it.",
  local: "Players elsewhere cannot use its address.",
  old: "The lobby has restarted since its host last sent these values.",
};

// badges returns the health of a server as badges, with spaces in between for screen
// readers.
export function badges(server) {
  const words = server.away ? ["away"] : [server.reach, server.verified ? "verified" : "unverified"];
  if (server.official) words.unshift("official");
  if (server.saved) words.push("old");
  if (server.local) words.push("local");
  if (server.quarantine) words.push("quarantined");
  return words.flatMap((word) => [
    make("span", { class: `badge ${word}`, title: meanings[word] ?? server.quarantine ?? "" }, word), " "]);
}
