// Favourites are addresses, since the ID of a game changes when its host opens it again.
// They are kept in the browser, with what is shown while they are not listed.
const storage = "favourites";
const most = 200;

// keyOf returns the key of a server, "" if it has no address to recognize it by.
export const keyOf = (server) => server.address && `${server.family} ${server.address}`;

let all = read();

function read() {
  try {
    const saved = JSON.parse(localStorage.getItem(storage)) ?? [];
    return new Map(saved.slice(0, most).map((server) => [keyOf(server), server]));
  } catch {
    return new Map(); // the browser forbids storage, or another program has written there
  }
}

export const isFavourite = (server) => all.has(keyOf(server));

// favourites returns all favourites, as they were when they were chosen.
export const favourites = () => [...all.values()];

// toggle adds or removes a favourite. It forgets the oldest beyond the limit.
function toggle(server) {
  const key = keyOf(server);
  if (!all.delete(key)) {
    const { family, address, game, name } = server;
    all.set(key, { family, address, game, name });
  }
  for (const oldest of [...all.keys()].slice(0, -most)) all.delete(oldest);
  try {
    localStorage.setItem(storage, JSON.stringify(favourites()));
  } catch {
    // They last until the page is closed.
  }
  dispatchEvent(new Event("favourites"));
}

addEventListener("storage", (event) => {
  if (event.key !== storage && event.key !== null) return;
  all = read();
  dispatchEvent(new Event("favourites"));
});

// A Star is a button that makes a server a favourite.
export class Star {
  #server = null;

  constructor(button) {
    this.element = button;
    button.addEventListener("click", () => toggle(this.#server));
  }

  show(server) {
    this.#server = server;
    const chosen = String(isFavourite(server));
    if (this.element.getAttribute("aria-pressed") !== chosen) this.element.setAttribute("aria-pressed", chosen);
    const label = `Favourite: ${server.name || "(no name)"}`;
    if (this.element.ariaLabel !== label) this.element.ariaLabel = label;
    this.element.hidden = !server.address;
  }
}
