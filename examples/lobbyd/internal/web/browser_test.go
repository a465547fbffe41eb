package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
)

// A tab is a tab of a headless browser.
type tab struct{ *browsertest.Tab }

// browse opens a tab. It skips the test if there is no browser.
func browse(t *testing.T) tab {
	t.Helper()
	return tab{browsertest.Open(t)}
}

// open loads a page and waits until it is live.
func (b tab) open(url string) {
	b.T.Helper()
	b.Do(chromedp.Navigate(url))
	b.Until(`document.getElementById("link").dataset.link === "live"`)
}
