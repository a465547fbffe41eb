import { count, familyName, number, put } from "./text.js";

const every = 60_000;
const id = location.pathname.split("/")[2]; // /server/{id}/embed
const card = document.querySelector(".card");

const players = (s) => (s.players === undefined ? "listed"
  : s.maxPlayers === undefined ? count(s.players, "player") : `${number(s.players)} of ${number(s.maxPlayers)} players`);

function show(server) {
  card.href = `/server/${id}`;
  put(card.querySelector("strong"), server.name || "(no name)");
  put(card.querySelector(".players"), players(server));
  put(card.querySelector(".about"), [server.game || familyName(server.family), server.map, server.address].filter(Boolean).join(" · "));
  const badge = card.querySelector(".badge");
  put(badge, server.reach);
  badge.className = `badge ${server.reach}`;
  badge.hidden = false;
}

function showAway() {
  card.href = "/";
  put(card.querySelector("strong"), document.body.dataset.title);
  put(card.querySelector(".players"), "");
  put(card.querySelector(".about"), "This game is not listed now.");
  card.querySelector(".badge").hidden = true;
}

async function load() {
  const answer = await fetch(`/api/servers/${id}`);
  const server = answer.ok ? await answer.json() : null;
  if (server && !server.quarantine) show(server);
  else if (server || answer.status === 404) showAway();
}

// A hidden frame rests, and is up to date as soon as it is shown again.
const refresh = () => { if (!document.hidden) load().catch(() => {}); }; // the next one may succeed
setInterval(refresh, every);
document.addEventListener("visibilitychange", refresh);
