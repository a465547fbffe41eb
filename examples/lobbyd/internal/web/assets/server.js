import { putName } from "./colour.js";
import { Chart, ranges } from "./chart.js";
import { copies } from "./copy.js";
import { Star } from "./favourites.js";
import { live } from "./live.js";
import { showPlayers } from "./players.js";
import { ago, badges, date, familyName, make, number, put } from "./text.js";

const { id, version } = document.body.dataset;
const seenEvery = 15_000;

// The texts of a server on the page, by data-fact.
const facts = {
  players: (s) => (s.players === undefined ? "unknown" : number(s.players)) +
    (s.maxPlayers === undefined ? "" : ` of ${number(s.maxPlayers)}`),
  spectators: (s) => (s.spectators === undefined ? "" :
    `${number(s.spectators)} of ${number(s.maxSpectators)} spectators`),
  game: (s) => s.game || "–",
  map: (s) => s.map || "–",
  mode: (s) => s.mode || "–",
  version: (s) => s.version || "–",
  address: (s) => s.address || "–",
  source: (s) => s.source || "–",
  node: (s) => s.node || "–",
};

const star = new Star(document.getElementById("star"));
let shown = null;
addEventListener("favourites", () => { if (shown) star.show(shown); });
const copy = document.getElementById("copy");
if (copy) copies(copy, () => document.querySelector('[data-fact="address"]').textContent);

function show(server) {
  shown = server;
  star.show(server);
  for (const [fact, text] of Object.entries(facts)) {
    const element = document.querySelector(`[data-fact="${fact}"]`);
    if (put(element, text(server))) flash(element);
  }
  const name = document.querySelector('[data-fact="name"]');
  if (putName(name, server)) flash(name);
  for (const fact of ["since", "seen"]) document.querySelector(`[data-fact="${fact}"]`).dateTime = server[fact];
  tick();
  say("left", "");
  say("why", server.quarantine && "Hidden from all lists: ", make("bdi", {}, server.quarantine ?? ""));
  say("local", server.local && "Players elsewhere cannot use its address, which is of the lobby's machine or a private network. " +
    "The operator of the lobby lists another in its place with -map.");
  document.getElementById("badges").replaceChildren(
    make("span", { class: `badge family-${server.family}` }, familyName(server.family)), ...badges(server));
  showFields(server.fields ?? []);
}

// say shows a text, or hides its element without one. Browsers without styles show hidden elements,
// so these have no text.
function say(id, text, ...more) {
  const element = document.getElementById(id);
  element.hidden = !text;
  element.replaceChildren(...(text ? [text, ...more] : []));
}

// Only rows whose field changed are written.
function showFields(fields) {
  const body = document.querySelector("#fields tbody");
  fields.forEach(([name, value], i) => {
    const row = body.rows[i] ?? body.appendChild(make("tr", {}, make("th", { scope: "row", dir: "auto" }), make("td", { dir: "auto" })));
    put(row.cells[0], name);
    if (put(row.cells[1], value)) flash(row.cells[1]);
  });
  while (body.rows.length > fields.length) body.lastElementChild.remove();
}

function flash(element) {
  element.classList.remove("changed");
  requestAnimationFrame(() => element.classList.add("changed"));
}

function tick() {
  for (const element of document.querySelectorAll("time")) {
    const since = ago(element.dateTime);
    put(element, since === "now" ? "just now" : `${since} ago`);
    element.title = date(element.dateTime);
  }
}

const tile = document.getElementById("tile-players");
const chart = tile && new Chart(tile);
const wanted = new URLSearchParams(location.search).get("range") ?? "";
const range = Object.hasOwn(ranges, wanted) ? wanted : "day";

async function showHistory(server) {
  const answer = await fetch(`/api/servers/${encodeURIComponent(server.id)}/history?range=${range}`);
  if (!answer.ok) return;
  const past = await answer.json();
  document.getElementById("past").hidden = past.points.length === 0;
  chart.now(server.players ?? 0);
  chart.show(past, range);
}

async function load() {
  const answer = await fetch(`/api/servers/${encodeURIComponent(id)}`);
  if (answer.ok) {
    const server = await answer.json();
    show(server);
    await showHistory(server);
    if (!document.hidden) await showPlayers(server);
  } else if (answer.status === 404) left();
}

function left() {
  say("left", "This game has left the list. This page shows its last state.");
}

const reload = () => load().catch(() => {}); // the next one may succeed

live(version, {
  snapshot: reload,
  change(came, gone) {
    if (gone.includes(id)) left();
    else if (came.some((server) => server.id === id)) reload();
  },
  poll: reload,
});
reload(); // with the colours of the name
setInterval(() => { if (!document.hidden) reload(); }, seenEvery);
tick();
setInterval(tick, 5000);
