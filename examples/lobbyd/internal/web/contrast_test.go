package web_test

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// contrast returns the contrast of two colours in sRGB, as WCAG defines it.
func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(rgb [3]float64) (sum float64) {
	for i, weight := range []float64{.2126, .7152, .0722} {
		n := rgb[i] / 255
		if n <= .04045 {
			sum += weight * n / 12.92
		} else {
			sum += weight * math.Pow((n+.055)/1.055, 2.4)
		}
	}
	return sum
}

// Every text of both pages is readable in both themes: its contrast is at least 4.5.
func TestEveryTextIsReadable(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	paths := []string{"/?quarantined=1", "/server/none"}
	var shown []catalogue.Entry
	for i, reach := range []catalogue.Reach{catalogue.Reachable, catalogue.Unreachable, catalogue.Unknown} {
		e := game([]catalogue.Family{catalogue.GameAgent, catalogue.Warzone, catalogue.Bomberman}[i], 900+i, "One", 1)
		e.Reach, e.Verified, e.Official = reach, i == 0, i == 0
		if i == 2 {
			e.Quarantine = "absurd"
		}
		shown = append(shown, e)
		paths = append(paths, "/server/"+e.ID)
	}
	s.set(append(evening(30), shown...)...)
	for _, path := range paths {
		for _, scheme := range []string{"light", "dark"} {
			b.Scheme(scheme)
			b.Do(chromedp.Navigate(s.URL + path))
			b.Until(`document.querySelector("#link")?.dataset.link !== "wait"`)
			if path[1] == '?' {
				b.Until(`document.querySelector("tbody tr")`)
			}
			b.Until(`document.getAnimations().every((a) => a.playState !== "running")`)
			for _, text := range browsertest.Eval[[]string](b.Tab, unreadable) {
				t.Errorf("%s, %s: %s", path, scheme, text)
			}
		}
	}
}

// unreadable is an expression for the texts whose contrast is too low. A canvas resolves
// colours and mixes translucent backgrounds, as the browser does.
const unreadable = `(() => {
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 1;
	const paper = canvas.getContext("2d", { willReadFrequently: true });
	const mix = (colours) => {
		for (const colour of colours) { paper.fillStyle = colour; paper.fillRect(0, 0, 1, 1); }
		return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const luminance = (rgb) => rgb.map((n) => n / 255 <= .04045 ? n / 255 / 12.92 : ((n / 255 + .055) / 1.055) ** 2.4)
		.reduce((sum, n, i) => sum + n * [.2126, .7152, .0722][i], 0);
	const found = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const element = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || !element.checkVisibility() ||
			element.closest(".unseen, .skip, script, noscript, svg, select")) continue;
		const under = [];
		for (let e = element; e; e = e.parentElement) under.unshift(getComputedStyle(e).backgroundColor);
		const base = mix(["white", ...under]);
		const ink = mix(["white", ...under, getComputedStyle(element).color]);
		const [x, y] = [luminance(base), luminance(ink)];
		const ratio = (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
		if (ratio < 4.5) found.add(element.tagName + "." + element.className + " has " + ratio.toFixed(2) + ": " +
			walk.currentNode.data.trim().slice(0, 40));
	}
	return [...found];
})()`
