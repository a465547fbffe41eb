package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
)

// Columns of the table without texts of hosts are never cut, on screens of any width.
func TestColumnsFit(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	s.set(lively(60)...)
	for _, width := range []int64{1280, 1024, 360} {
		b.Do(chromedp.EmulateViewport(width, 900))
		for _, column := range []string{"family", "health", "players", "age"} {
			b.open(s.URL + "/?sort=" + column)
			b.Until(fmt.Sprintf(`document.querySelector('[data-sort="%s"]').parentElement.ariaSort`, column))
			if cut := browsertest.Eval[[]string](b.Tab, cutTexts); len(cut) > 0 {
				t.Errorf("%d pixels, by %s: %q", width, column, cut)
			}
		}
		if over := browsertest.Eval[int](b.Tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%d pixels too wide on %d", over, width)
		}
	}
	b.Clean()
}

// cutTexts is an expression for the texts that reach beyond the content of their cells.
const cutTexts = `[...new Set([...document.querySelectorAll("thead button, .badge")].flatMap((e) => {
	const cell = e.closest("th, td");
	if (!cell.checkVisibility()) return [];
	const padding = e.matches("button") ? 0 : parseFloat(getComputedStyle(cell).paddingRight);
	const end = cell.getBoundingClientRect().right - padding;
	const range = document.createRange();
	range.selectNodeContents(e);
	const reach = e.matches("button") ? range.getBoundingClientRect().right : e.getBoundingClientRect().right;
	return reach > end + .5 || e.scrollWidth > e.clientWidth + 1 ? [e.textContent] : [];
}))]`
