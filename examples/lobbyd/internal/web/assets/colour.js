// Colours of names come from their hosts, so they may be unreadable. Each is mixed with
// black or white until its contrast to the backgrounds of the page is enough.

const enough = 4.5; // WCAG 2.2, level AA

// Backgrounds are the darkest of the light theme and the lightest of the dark one.
const light = { background: [0xeb, 0xee, 0xf6], mixed: 0 };
const dark = { background: [0x22, 0x2a, 0x38], mixed: 255 };

function luminance(rgb) {
  const [r, g, b] = rgb.map((n) => (n / 255 <= 0.04045 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function readable(rgb, { background, mixed }) {
  for (let share = 0; share < 1; share += 0.05) {
    const colour = rgb.map((n) => Math.round(n + (mixed - n) * share));
    if (contrast(colour, background) >= enough) return colour;
  }
  return [mixed, mixed, mixed];
}

// paint replaces the content of an element by parts, each a text and a colour or "".
export function paint(element, parts) {
  element.replaceChildren(...parts.map(([text, colour]) => {
    if (!/^#[0-9a-f]{6}$/.test(colour)) return text;
    const rgb = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const part = document.createElement("span");
    part.textContent = text;
    part.style.color = `light-dark(rgb(${readable(rgb, light)}), rgb(${readable(rgb, dark)}))`;
    return part;
  }));
}

// putName shows the name of a server in its colours, and reports whether the name changed.
export function putName(element, { name, colours }) {
  const isNew = element.textContent !== (name || "(no name)");
  const shown = JSON.stringify(colours ?? []);
  if (!isNew && element.dataset.colours === shown) return false;
  paint(element, colours ?? [[name || "(no name)", ""]]);
  element.dataset.colours = shown;
  return isNew;
}
