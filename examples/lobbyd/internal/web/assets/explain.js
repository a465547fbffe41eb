// An address, which may have a port. The server checks it.
const address = /^(\d+\.\d+\.\d+\.\d+(:\d+)?|\[?[\da-f]*:[\da-f:.]+\]?(:\d+)?)$/i;

// explain returns why servers of an address are not listed, or "" for other texts.
export async function explain(text) {
  if (!address.test(text)) return "";
  const answer = await fetch(`/api/explain?${new URLSearchParams({ address: text })}`);
  if (!answer.ok) return "";
  const { summary, servers = [], refusals = [] } = await answer.json();
  const hidden = servers.filter((s) => s.hidden).map((s) => `${s.name || s.id}: ${s.hidden}.`);
  const refused = refusals.filter((r) => !r.over).map((r) => `${new Date(r.time).toLocaleString()}, ${r.server}: ${r.text}.`);
  return [summary, ...hidden, ...refused].join("\n");
}
