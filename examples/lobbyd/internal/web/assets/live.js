import { put, time } from "./text.js";

// The stream of a hidden page is closed, and continues when the page is shown again.
// If the server has too many streams, the page polls.
const pollEvery = 10_000;

// live follows the events after a version. on.change is called with the servers that
// changed and the IDs that went, on.snapshot with all servers, on.poll to load them
// while there is no stream.
export function live(version, on) {
  let source = null;
  let polling = 0;

  function open() {
    close();
    source = new EventSource(`/api/events?after=${encodeURIComponent(version)}`);
    source.addEventListener("open", () => showLink("live"));
    source.addEventListener("error", () => {
      showLink("lost");
      if (source.readyState === EventSource.CLOSED) {
        on.poll();
        polling = setTimeout(open, pollEvery);
      }
    });
    source.addEventListener("state", (event) => showState(JSON.parse(event.data)));
    source.addEventListener("snapshot", (event) => {
      version = event.lastEventId;
      on.snapshot(JSON.parse(event.data).servers);
    });
    source.addEventListener("change", (event) => {
      version = event.lastEventId;
      const { put: came, gone } = JSON.parse(event.data);
      on.change(came, gone);
    });
  }

  function close() {
    clearTimeout(polling);
    source?.close();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}

put(document.getElementById("link"), "Connecting");
const links = { live: "Live", lost: "Reconnecting" };

// showLink shows a lost connection only after 1.5 s, so that screen readers do not
// announce one that returns at once.
let telling = 0;
function showLink(link) {
  clearTimeout(telling);
  telling = setTimeout(() => {
    const element = document.getElementById("link");
    element.dataset.link = link;
    put(element, links[link]);
  }, link === "live" ? 0 : 1500);
}

function showState(state) {
  const node = document.getElementById("node");
  node.hidden = state.node === "";
  const name = document.createElement("bdi");
  name.textContent = state.node;
  node.replaceChildren("node ", name);
  node.title = state.nodes.length > 1 ? `connected: ${state.nodes.join(", ")}` : "";

  const banner = document.getElementById("cut-off");
  banner.hidden = state.cutOff === undefined;
  if (state.cutOff) {
    put(banner, `Serving its copy of ${time(state.cutOff)}: this node lost its connection to the others then.`);
  }
}
