import { put, time } from "./text.js";

// A page that nobody looks at needs no stream: it is closed and taken up again
// where it was. If there are too many streams, the page asks every so often.
const pollEvery = 10_000;

// live follows the events after a version. on.change is called with what came and
// what went, on.snapshot with all that there is, on.poll when there is no stream.
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

const links = { live: "Live", lost: "Reconnecting" };

// showLink tells of a lost connection only when it stays lost, so that a stream
// that is taken up again is no news to those who hear the page.
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
    put(banner, `Serving its copy of ${time(state.cutOff)}: this node has been cut off from the others since then.`);
  }
}
