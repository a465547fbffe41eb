import { Chart, ranges } from "./chart.js";
import { explain } from "./explain.js";
import { favourites } from "./favourites.js";
import { live } from "./live.js";
import { Store } from "./store.js";
import { Table } from "./table.js";
import { count, make, put } from "./text.js";

const store = new Store();
const table = new Table();
const charts = [...document.querySelectorAll(".tile")].map((tile) => new Chart(tile));
const tools = document.getElementById("tools");
const search = tools.elements.q;
const heads = [...document.querySelectorAll("[data-sort]")];
const descendingFirst = new Set(["players", "health"]);
const choice = { sort: "players", descending: true, range: "day" };
const rangeLinks = [...document.querySelectorAll("[data-range]")];

// The search, filters and order are in the address of the page, for bookmarks and links.
function readAddress() {
  const asked = new URLSearchParams(location.search);
  for (const field of tools.elements) {
    if (field.type === "checkbox") field.checked = asked.get(field.name) === "1";
    else {
      if (field.name === "game") offerGames([], asked.get("game"));
      field.value = asked.get(field.name) ?? "";
    }
    if (field.selectedIndex < 0) field.value = "";
  }
  if (Object.hasOwn(ranges, asked.get("range") ?? "")) choice.range = asked.get("range");
  const sort = asked.get("sort") ?? "";
  const name = sort.replace(/^-/, "");
  if (heads.some((head) => head.dataset.sort === name)) {
    choice.sort = name;
    choice.descending = sort.startsWith("-");
  }
}

// offerGames adds games to the filter, and the chosen one even if it is not listed.
function offerGames(listed, chosen) {
  const field = tools.elements.game;
  const wanted = chosen && !listed.includes(chosen) ? [...listed, chosen] : listed;
  const shown = [...field.options].slice(1).map((option) => option.value);
  if (wanted.join() === shown.join()) return;
  field.replaceChildren(field.options[0], ...wanted.map((game) => make("option", { value: game }, game)));
  field.value = chosen ?? "";
}

function writeAddress() {
  const address = new URLSearchParams();
  for (const field of tools.elements) {
    const value = field.type === "checkbox" ? (field.checked ? "1" : "") : field.value;
    if (value) address.set(field.name, value);
  }
  const sort = (choice.descending ? "-" : "") + choice.sort;
  if (sort !== "-players") address.set("sort", sort);
  for (const link of rangeLinks) {
    address.set("range", link.dataset.range);
    link.href = `?${address}`;
  }
  address.set("range", choice.range);
  if (choice.range === "day") address.delete("range");
  history.replaceState(null, "", address.size ? `?${address}` : location.pathname);
}

function draw() {
  const filter = {
    q: search.value.trim(), family: tools.elements.family.value,
    game: tools.elements.game.value, health: tools.elements.health.value,
    players: tools.elements.players.checked, quarantined: tools.elements.quarantined.checked,
    favourites: tools.elements.favourites.checked,
  };
  const servers = store.select(filter, choice.sort, choice.descending);
  table.show(servers);
  offerGames(store.games(), filter.game);
  const totals = store.totals();
  const ofGame = filter.game ? store.totals(filter.game) : totals;
  for (const chart of charts) chart.now(ofGame[chart.series]);
  put(document.getElementById("quarantined"), totals.quarantined ? String(totals.quarantined) : "");
  const playing = servers.reduce((sum, s) => sum + (s.quarantine ? 0 : s.players ?? 0), 0);
  const summary = `${count(servers.length, "game")}, ${count(playing, "player")}`;
  put(document.getElementById("count"), summary);
  const empty = document.getElementById("empty");
  empty.hidden = servers.length > 0;
  showWhy(servers.length ? "" : filter.q);
  const filtered = Object.values(filter).some(Boolean);
  put(empty, filter.favourites && favourites().length === 0 ? "No favourites yet. The star in front of a name makes one."
    : totals.servers || filtered ? "No game matches these filters." : "No games are open. They appear here as soon as one is.");
  document.getElementById("register").hidden = servers.length > 0 || totals.servers > 0 || filtered;
  return summary;
}

// An address that the search does not find is explained.
const why = document.getElementById("why");
let explained = "";
async function showWhy(text) {
  if (text === explained) return;
  explained = text;
  const answer = text ? await explain(text) : "";
  if (text !== explained) return; // the search has changed
  put(why, answer);
  why.hidden = !answer;
}

// All changes of 200 ms are drawn together.
let waiting = false;
function drawSoon() {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    draw();
  }, 200);
}

// Screen readers announce the count only after a choice of the user, not after each
// change.
let telling = 0;
function choose() {
  table.first();
  writeAddress();
  for (const head of heads) {
    const sorted = head.dataset.sort === choice.sort;
    const cell = head.parentElement;
    if (sorted) cell.setAttribute("aria-sort", choice.descending ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  }
  const summary = draw();
  clearTimeout(telling);
  telling = setTimeout(() => put(document.getElementById("found"), summary), 400);
}

for (const head of heads) {
  head.addEventListener("click", () => {
    const name = head.dataset.sort;
    choice.descending = choice.sort === name ? !choice.descending : descendingFirst.has(name);
    choice.sort = name;
    choose();
  });
}
tools.addEventListener("input", choose);
addEventListener("favourites", draw);
tools.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.select();
  } else if (event.target === search && event.key === "ArrowDown") {
    event.preventDefault();
    table.focus();
  }
});

async function load() {
  const list = await (await fetch("/api/servers?quarantined=1")).json();
  store.replace(list.servers);
  return list.version;
}

// The graphs are of the chosen game, or of all.
let graphed = "";
async function loadHistory() {
  const range = choice.range;
  graphed = new URLSearchParams({ range, game: tools.elements.game.value }).toString();
  const asked = graphed;
  const past = await (await fetch(`/api/history?${asked}`)).json();
  if (asked !== graphed) return; // another is chosen
  for (const chart of charts) chart.show(past, range);
}

const reloadHistory = () => loadHistory().catch(() => {}); // the next one may succeed

for (const link of rangeLinks) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab or window
    event.preventDefault();
    choice.range = link.dataset.range;
    for (const other of rangeLinks) {
      if (other === link) other.setAttribute("aria-current", "true");
      else other.removeAttribute("aria-current");
    }
    writeAddress();
    reloadHistory();
  });
}
tools.elements.game.addEventListener("input", reloadHistory);

function begin() {
  load().then((version) => {
    choose();
    reloadHistory();
    live(version, {
      snapshot(servers) { store.replace(servers); drawSoon(); },
      change(came, gone) { store.change(came, gone); drawSoon(); },
      poll() { load().then(drawSoon, () => {}); }, // the next one may succeed
    });
    setInterval(() => { if (!document.hidden) reloadHistory(); }, 60_000);
    setInterval(() => table.tick(), 15_000);
  }, () => setTimeout(begin, 3000));
}

readAddress();
begin();
