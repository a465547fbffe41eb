import { put } from "./text.js";

// copies makes a button copy an address, and say so.
export function copies(button, address) {
  button.addEventListener("click", async () => {
    const text = address();
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch { // only pages over HTTPS and on this machine may use the clipboard
      done = copyOld(text) ? "Copied" : "Select it and copy";
    }
    put(button, done);
    setTimeout(() => put(button, "Copy"), 2000);
  });
}

function copyOld(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
