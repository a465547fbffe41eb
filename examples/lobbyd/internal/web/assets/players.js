import { paint } from "./colour.js";
import { make, number, put } from "./text.js";

const section = document.getElementById("players");
const none = document.getElementById("players-none");
const table = section.querySelector("table");
put(none, "Asking the server");

const failures = {
  503: "Many servers are being asked. This page tries again soon.",
  504: "The server does not answer.",
};

const cell = (n) => make("td", { class: "n" }, n === undefined ? "–" : number(n));

function show(players) {
  table.hidden = players.length === 0;
  none.hidden = players.length > 0;
  put(none, "Nobody is playing, or the server does not list its players.");
  table.tBodies[0].replaceChildren(...players.map((player) => {
    const name = make("bdi");
    paint(name, player.colours ?? [[player.name || "(no name)", ""]]);
    return make("tr", {}, make("th", { scope: "row" }, name), cell(player.score), cell(player.ping));
  }));
}

// showPlayers asks a server for its players, if it can be asked.
export async function showPlayers(server) {
  section.hidden = !server.queryable;
  if (!server.queryable) return;
  const answer = await fetch(`/api/servers/${encodeURIComponent(server.id)}/players`);
  if (answer.ok) {
    show((await answer.json()).players);
    return;
  }
  table.hidden = true;
  none.hidden = false;
  put(none, failures[answer.status] ?? "The players are not known.");
}
